//! A class on one lab: no question is lost, and each gets its own answer.

use std::{sync::Barrier, thread};

use rosenblatt_lab::server::{Limits, Site};

use crate::common::{Lab, Reply};

const CLIENTS: u64 = 30;
const QUESTIONS: u64 = 8;

/// A question whose answer no other client gets: XOR takes as many visits as it may.
fn question(client: u64, number: u64) -> (String, String) {
    let epochs = 1 + client * QUESTIONS + number;
    let question = format!(
        r#"{{"train": {{"points": {{"rows": [[0,0],[0,1],[1,0],[1,1]], "signs": [-1,1,1,-1]}},
        "options": {{"order": "given", "epochs": {epochs}}}}}}}"#
    );
    (question, format!(r#"{{"visits":{},"#, 4 * epochs))
}

/// Lets all clients ask at once, and returns how often one was refused for the lack of a place. They ask again then.
fn class(limits: Limits) -> usize {
    let lab = Lab::new(Site { limits, ..Site::default() });
    let start = Barrier::new(usize::try_from(CLIENTS).unwrap());
    let client = |client: u64| {
        start.wait();
        (0..QUESTIONS).map(|number| ask(&lab, &question(client, number))).sum::<usize>()
    };
    thread::scope(|scope| {
        let clients: Vec<_> =
            (0..CLIENTS).map(|number| scope.spawn(move || client(number))).collect();
        clients.into_iter().map(|client| client.join().unwrap()).sum()
    })
}

/// Asks until there is an answer, which must be the right one.
fn ask(lab: &Lab, (question, answer): &(String, String)) -> usize {
    let refused = |reply: &Reply| {
        assert_eq!((reply.status, reply.header("retry-after")), (503, Some("1")), "{reply:?}");
    };
    let mut times = 0;
    loop {
        let reply = lab.ask(question);
        if reply.status == 200 {
            assert!(reply.body.starts_with(answer.as_str()), "{answer}: {reply:?}");
            return times;
        }
        refused(&reply);
        times += 1;
    }
}

#[test]
fn a_class_of_thirty_is_answered() {
    assert_eq!(class(Limits::default()), 0);
}

/// With one place for a question that waits, most are refused at first; a client that asks again is answered.
#[test]
fn a_client_that_asks_again_is_answered() {
    class(Limits { answers: 1, waiting: 1, ..Limits::default() });
}
