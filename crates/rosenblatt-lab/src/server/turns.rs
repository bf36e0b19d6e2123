//! Whose question is answered next.
//!
//! Clients take turns: of several that wait, each has one question answered before any has its second. If all places are
//! taken, a client that has fewer waiting questions gets the place of the last question of the one that has most.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// A machine that asks, by its address. Pages behind one proxy are one client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Client(IpAddr);

impl From<IpAddr> for Client {
    /// The machines of an IPv6 network can have any address of it, so only the network counts.
    fn from(address: IpAddr) -> Self {
        Client(match address.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
            v4 @ IpAddr::V4(_) => v4,
        })
    }
}

/// The questions that wait for a worker.
pub(super) struct Turns {
    /// A permit for each question that is answered or waits, and for each answer that its client has not yet received.
    places: Arc<Semaphore>,
    line: Mutex<Line>,
}

struct Line {
    free_workers: usize,
    /// The round of the last question that was begun.
    round: u64,
    /// In the order of arrival.
    waiting: Vec<Waiting>,
}

struct Waiting {
    client: Client,
    round: u64,
    place: OwnedSemaphorePermit,
    turn: oneshot::Sender<Turn>,
}

/// The right to work on a question, and the place of its answer.
pub(super) struct Turn {
    pub(super) worker: Worker,
    pub(super) place: OwnedSemaphorePermit,
}

/// Passes to the next question when it is dropped.
pub(super) struct Worker(Arc<Turns>);

impl Drop for Worker {
    fn drop(&mut self) {
        Turns::pass(&self.0);
    }
}

impl Turns {
    /// Turns for this many workers, and this many questions that wait in addition.
    pub(super) fn new(workers: usize, waiting: usize) -> Arc<Self> {
        let line = Line { free_workers: workers, round: 0, waiting: Vec::new() };
        let places = Arc::new(Semaphore::new(workers + waiting));
        Arc::new(Turns { places, line: Mutex::new(line) })
    }

    /// Waits for the turn of a question; `None` if there is no place for it, or none any more.
    pub(super) async fn wait(self: &Arc<Self>, client: Client) -> Option<Turn> {
        let mine = self.enter(client)?;
        mine.await.ok()
    }

    fn enter(self: &Arc<Self>, client: Client) -> Option<oneshot::Receiver<Turn>> {
        let mut line = self.line();
        // Who left needs no place.
        line.waiting.retain(|waiting| !waiting.turn.is_closed());
        let place = Arc::clone(&self.places).try_acquire_owned().ok();
        let place = place.or_else(|| line.displace(client))?;
        let (turn, mine) = oneshot::channel();
        if line.free_workers > 0 {
            line.free_workers -= 1;
            drop(line);
            // The receiver is here.
            let _ = turn.send(Turn { worker: Worker(Arc::clone(self)), place });
        } else {
            let round = line.next_round(client);
            line.waiting.push(Waiting { client, round, place, turn });
        }
        Some(mine)
    }

    /// Gives a worker to the next question, or keeps it.
    fn pass(turns: &Arc<Self>) {
        let next = turns.line().next();
        if let Some(Waiting { place, turn, .. }) = next {
            // If its client has left, the turn is dropped here, and passes on.
            let _ = turn.send(Turn { worker: Worker(Arc::clone(turns)), place });
        }
    }

    /// The line; a panic elsewhere leaves it whole.
    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
    /// The round of a client's next question: one after its last, and after what has begun.
    fn next_round(&self, client: Client) -> u64 {
        let own = self.waiting.iter().filter(|waiting| waiting.client == client);
        own.map(|waiting| waiting.round).fold(self.round, u64::max) + 1
    }

    /// The first question of the earliest round; without one, a worker is free.
    fn next(&mut self) -> Option<Waiting> {
        self.waiting.retain(|waiting| !waiting.turn.is_closed());
        let first = (0..self.waiting.len()).min_by_key(|&place| self.waiting[place].round);
        let Some(first) = first else {
            self.free_workers += 1;
            return None;
        };
        let next = self.waiting.remove(first);
        self.round = self.round.max(next.round);
        Some(next)
    }

    /// The place of the last question of the client with the most, if `client` would still have fewer.
    fn displace(&mut self, client: Client) -> Option<OwnedSemaphorePermit> {
        let mut counts: HashMap<Client, usize> = HashMap::new();
        for waiting in &self.waiting {
            *counts.entry(waiting.client).or_default() += 1;
        }
        let own = counts.get(&client).copied().unwrap_or(0);
        let most = self.waiting.iter().map(|waiting| counts[&waiting.client]).max()?;
        if own + 1 >= most {
            return None;
        }
        let last = self.waiting.iter().rposition(|waiting| counts[&waiting.client] == most)?;
        Some(self.waiting.remove(last).place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u8) -> Client {
        IpAddr::from([10, 0, 0, number]).into()
    }

    /// Lets these clients ask one after the other while one worker is busy, and returns the order of the answers.
    /// A question without a place has no answer.
    fn order(asking: &[u8], waiting: usize) -> Vec<usize> {
        let turns = Turns::new(1, waiting);
        let busy = turns.enter(client(0)).unwrap().try_recv().unwrap();
        let mut mine: Vec<_> = asking.iter().map(|&number| turns.enter(client(number))).collect();
        drop(busy);
        let mut answered = Vec::new();
        loop {
            let receive =
                |place: &mut Option<oneshot::Receiver<Turn>>| place.as_mut()?.try_recv().ok();
            let next =
                mine.iter_mut().enumerate().find_map(|(i, place)| Some((i, receive(place)?)));
            let Some((question, turn)) = next else { break };
            answered.push(question);
            drop(turn);
        }
        answered
    }

    #[test]
    fn clients_take_turns() {
        assert_eq!(order(&[1, 1, 1, 2, 2, 3], 8), [0, 3, 5, 1, 4, 2]);
        assert_eq!(order(&[1, 2, 1, 2], 8), [0, 1, 2, 3]);
    }

    #[test]
    fn a_client_with_fewer_questions_gets_the_place_of_one_with_more() {
        // Client 1 loses all but its first question to clients 2, 3 and 4. Then no client has more than client 5 would.
        assert_eq!(order(&[1, 1, 1, 1, 2, 3, 4, 5], 4), [0, 4, 5, 6]);
        assert_eq!(order(&[1, 1, 1], 2), [0, 1]);
    }

    #[test]
    fn who_left_has_neither_turn_nor_place() {
        let turns = Turns::new(1, 1);
        let busy = turns.enter(client(1)).unwrap().try_recv().unwrap();
        let left = turns.enter(client(1));
        assert!(turns.enter(client(1)).is_none());
        drop(left);
        let mut last = turns.enter(client(1)).unwrap();
        drop(busy);
        drop(last.try_recv().unwrap());
        assert_eq!((turns.line().free_workers, turns.places.available_permits()), (1, 2));
    }

    #[test]
    fn an_ipv6_network_is_one_client() {
        let of = |address: &str| Client::from(address.parse::<IpAddr>().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:2"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
    }
}
