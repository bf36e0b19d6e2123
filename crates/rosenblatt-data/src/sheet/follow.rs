//! A sheet beside the run that it should be.

use num_rational::BigRational;
use rosenblatt_core::{
    data::Sign,
    schedule::{Init, Order, choose},
    space::Hyperplane,
    train::Options,
};

use super::{
    Data, WrongCell,
    cell::{Expected, numbers},
    number::WrittenNumber,
    paper::{self, Arithmetic, PaperExample, PaperRun, PaperVisit, plane},
    reading::{Listed, Reading},
    reason::Reasons,
    table::{Column, Sheet, SheetRow},
};

/// Weights and bias.
pub(super) type Plane = (Vec<BigRational>, BigRational);

/// How far a sheet is right.
pub(super) struct Followed {
    /// The rows before the first wrong cell.
    pub(super) right_rows: usize,
    pub(super) wrong: Option<WrongCell>,
    /// Whether the run ends where the sheet does.
    pub(super) is_whole: bool,
}

/// Follows the rows of a sheet.
pub(super) fn follow(sheet: &Sheet, data: &Data<'_>, reading: &Reading) -> Followed {
    let examples = paper::examples(data.examples, reading.arithmetic);
    let options = &reading.conventions.options;
    let (start, rest) = match sheet.rows.split_first() {
        Some((first, rest)) if is_start(sheet, first, reading) => (Some(first), rest),
        _ => (None, sheet.rows.as_slice()),
    };
    let features = data.examples.features();
    let given = first_plane(options, features, reading.arithmetic);
    let own = start.and_then(|row| plane_of(sheet, row, reading, features));
    let chooses = reading.own_start || options.init == Init::Random;
    let first = own.filter(|_| chooses).unwrap_or(given);
    let mut run = PaperRun::new(&examples, options, reading.arithmetic, first);
    run.begin_epoch(1);
    let mut pace = Pace {
        sheet,
        data,
        reading,
        run,
        epoch: 1,
        visited: vec![false; examples.len()],
        visits_of_epoch: 0,
        mistakes: 0,
        visits: 0,
        updates: 0,
        is_clean: false,
        ended: false,
        before: None,
    };
    let mut right_rows = 0;
    for row in start.into_iter().chain(rest) {
        let is_first = start.is_some_and(|first| std::ptr::eq(first, row));
        let wrong = if is_first { pace.start(row) } else { pace.row(row) };
        if let Err(Mismatch { column, expected, reason }) = wrong {
            let found = sheet.columns.iter().find(|(own, ..)| *own == column);
            let (name, place) =
                found.map_or((String::new(), 0), |(_, name, place)| (name.clone(), *place));
            let found = row.cells[place].clone();
            let wrong = WrongCell {
                row: right_rows + 1,
                line: row.line,
                column: name,
                found,
                expected,
                reason,
            };
            return Followed { right_rows, wrong: Some(wrong), is_whole: false };
        }
        right_rows += 1;
    }
    Followed {
        right_rows,
        wrong: None,
        is_whole: pace.ended || (pace.is_clean && pace.visits_of_epoch == 0),
    }
}

/// A cell that is not as it should be.
struct Mismatch {
    column: Column,
    expected: String,
    reason: String,
}

/// Whether a row has the weights before the run: visit 0, or weights without an example.
fn is_start(sheet: &Sheet, row: &SheetRow, reading: &Reading) -> bool {
    const OF_VISIT: [Column; 7] = [
        Column::Example,
        Column::XVector,
        Column::X(0),
        Column::Y,
        Column::Score,
        Column::Mistake,
        Column::Step,
    ];
    let is_blank = |column: &Column| sheet.cell(row, *column).is_none();
    let is_zero =
        sheet.cell(row, Column::Visit).as_deref() == Some("0") && reading.first_number == 1;
    is_zero || (OF_VISIT.iter().any(|column| sheet.has(*column)) && OF_VISIT.iter().all(is_blank))
}

/// The weights with which the options begin.
fn first_plane(options: &Options, features: usize, arithmetic: Arithmetic) -> Plane {
    // Given weights were compared with the features before.
    let first = options.first_hyperplane(features).unwrap_or_else(|_| Hyperplane::zero(features));
    plane(&first, arithmetic)
}

/// The weights of a row, if it has all of them.
fn plane_of(sheet: &Sheet, row: &SheetRow, reading: &Reading, features: usize) -> Option<Plane> {
    let value = |cell: String| WrittenNumber::parse(&cell).map(|number| number.value);
    let mut w: Vec<BigRational> = match sheet.cell(row, Column::WVector) {
        Some(cell) => numbers(&cell).into_iter().map(value).collect::<Option<_>>()?,
        None => {
            (0..features).map(|j| value(sheet.cell(row, Column::W(j))?)).collect::<Option<_>>()?
        }
    };
    if w.len() == features + 1 {
        let b = w.pop()?;
        return Some((w, b));
    }
    let cell = |column| sheet.cell(row, column).and_then(value);
    let b = match cell(Column::Bias) {
        Some(bias) => bias,
        None => match (cell(Column::Threshold), cell(Column::B)) {
            (Some(threshold), _) => -threshold,
            (None, Some(b)) => {
                if reading.conventions.has_threshold {
                    -b
                } else {
                    b
                }
            }
            (None, None) => return None,
        },
    };
    (w.len() == features).then_some((w, b))
}

/// A run that keeps pace with the rows of a sheet.
struct Pace<'a> {
    sheet: &'a Sheet,
    data: &'a Data<'a>,
    reading: &'a Reading,
    run: PaperRun<'a>,
    epoch: u64,
    /// The examples that this epoch has visited, and their number.
    visited: Vec<bool>,
    visits_of_epoch: usize,
    /// The mistakes of this epoch.
    mistakes: u64,
    visits: u64,
    updates: u64,
    /// Whether the last whole epoch was clean.
    is_clean: bool,
    /// Whether no visit can follow.
    ended: bool,
    /// The row before.
    before: Option<&'a SheetRow>,
}

impl<'a> Pace<'a> {
    fn options(&self) -> &Options {
        &self.reading.conventions.options
    }

    /// Checks the row of the weights before the run.
    fn start(&mut self, row: &'a SheetRow) -> Result<(), Mismatch> {
        let reason = || match self.options().init {
            Init::Zero => "the weights begin at 0".to_owned(),
            _ => "the weights before the first visit".to_owned(),
        };
        self.plane(row, &|| None, (&reason, &reason))?;
        self.before = Some(row);
        Ok(())
    }

    /// Makes the visit of a row and checks its cells.
    fn row(&mut self, row: &'a SheetRow) -> Result<(), Mismatch> {
        let (example, visit) = loop {
            self.check_end(row)?;
            let example = self.next(row)?;
            let visit = self.run.visit(example);
            self.visits += 1;
            self.updates += u64::from(visit.mistake);
            if self.reading.listed == Listed::All || visit.mistake {
                break (example, visit);
            }
            self.finish(example, &visit);
        };
        self.place(row, example)?;
        self.outcome(row, example, &visit)?;
        self.before = Some(row);
        self.finish(example, &visit);
        Ok(())
    }

    fn check_end(&self, row: &SheetRow) -> Result<(), Mismatch> {
        if !self.ended {
            return Ok(());
        }
        let last = self.epoch - 1;
        let reason = match self.options().epochs == last {
            true => format!("the run has {last} epochs"),
            false if self.options().order == Order::Mistaken => {
                "no example is misclassified, which ends the run".to_owned()
            }
            false => format!("epoch {last} made no mistake, which ends the run"),
        };
        let columns = self.sheet.columns.iter().map(|(column, ..)| *column);
        let filled = columns.into_iter().find(|&column| self.sheet.cell(row, column).is_some());
        let column = filled.unwrap_or(self.sheet.columns[0].0);
        Err(Mismatch { column, expected: "no more rows".to_owned(), reason })
    }

    /// Counts a visit, and ends the epoch and the run.
    fn finish(&mut self, example: usize, visit: &PaperVisit) {
        self.visited[example] = true;
        self.visits_of_epoch += 1;
        self.mistakes += u64::from(visit.mistake);
        let &Options { epochs, allow_mistakes, order, .. } = self.options();
        let makes_all = self.reading.conventions.makes_all_epochs;
        if order == Order::Mistaken {
            self.mistakes = self.mistaken().len() as u64;
        } else if self.visits_of_epoch < self.visited.len() {
            return;
        }
        self.is_clean = self.mistakes <= allow_mistakes;
        let goes_on = makes_all && self.reading.listed == Listed::All;
        self.ended = (self.is_clean && !goes_on) || self.epoch >= epochs;
        self.epoch += 1;
        self.run.begin_epoch(self.epoch);
        self.visited.fill(false);
        self.visits_of_epoch = 0;
        self.mistakes = 0;
    }

    /// The examples that the present weights misclassify.
    fn mistaken(&self) -> Vec<usize> {
        (0..self.visited.len()).filter(|&i| self.run.is_mistake(i)).collect()
    }

    /// Whether the next visit may be that of an example.
    fn is_open(&self, example: usize) -> bool {
        match self.options().order {
            Order::Mistaken => self.run.is_mistake(example),
            _ => !self.visited[example],
        }
    }

    /// The example of the next visit.
    fn next(&self, row: &SheetRow) -> Result<usize, Mismatch> {
        if self.reading.own_order {
            return match self.sheet.cell(row, Column::Example) {
                Some(cell) => self.named(row, &cell),
                None => self.recognised(row),
            };
        }
        let &Options { order, seed, .. } = self.options();
        match order {
            Order::Given => Ok(self.visits_of_epoch),
            Order::Mistaken => Ok(choose(seed, self.epoch, &self.mistaken())),
            Order::Shuffle => {
                let mut places = vec![0; self.visited.len()];
                order.arrange(seed, self.epoch, &mut places);
                Ok(places[self.visits_of_epoch])
            }
        }
    }

    /// The example that a row names, if it may be visited now.
    fn named(&self, row: &SheetRow, cell: &str) -> Result<usize, Mismatch> {
        let (count, from) = (self.visited.len(), self.reading.first_number);
        let number = cell.parse::<u64>().ok().and_then(|number| number.checked_sub(from));
        let mismatch =
            |expected, reason| Err(Mismatch { column: Column::Example, expected, reason });
        match number.map(|number| number as usize).filter(|&number| number < count) {
            None => mismatch(self.open_numbers(), format!("the data has {count} examples")),
            Some(example) if !self.is_open(example) => {
                let reason = match self.options().order {
                    Order::Mistaken => format!("example {cell} is no mistake"),
                    _ => format!("example {cell} was visited in this epoch already"),
                };
                mismatch(self.open_numbers(), reason)
            }
            Some(example) if self.has_features(row, example) => Ok(example),
            // Perhaps all features and the label are those of another example.
            Some(example) => self.recognised(row).map_or(Ok(example), |other| {
                let reason = "of the example with these features".to_owned();
                mismatch((other as u64 + from).to_string(), reason)
            }),
        }
    }

    /// The numbers of examples that may be visited now.
    fn open_numbers(&self) -> String {
        const MOST: usize = 5;
        let open = (0..self.visited.len()).filter(|&i| self.is_open(i));
        let mut open: Vec<String> = open
            .take(MOST + 1)
            .map(|i| (i as u64 + self.reading.first_number).to_string())
            .collect();
        if open.len() > MOST {
            open[MOST] = "…".to_owned();
        }
        open.join(" or ")
    }

    /// The first example that may be visited now and has the features and the label of the row.
    fn recognised(&self, row: &SheetRow) -> Result<usize, Mismatch> {
        let column = self.sheet.columns.first().map_or(Column::Y, |(column, ..)| *column);
        let reason = "no example that may be visited now has these features".to_owned();
        let mismatch = Mismatch { column, expected: "another example".to_owned(), reason };
        let is = |&i: &usize| self.is_open(i) && self.has_features(row, i);
        (0..self.visited.len()).find(is).ok_or(mismatch)
    }

    /// Whether all features of a row, at least one, and its label are those of an example.
    fn has_features(&self, row: &SheetRow, example: usize) -> bool {
        let PaperExample { x, sign } = &self.run.examples[example];
        let vector = self.sheet.cell(row, Column::XVector);
        let mut cells = (0..x.len()).map(|j| (j, self.sheet.cell(row, Column::X(j))));
        let has_some = vector.is_some() || cells.clone().any(|(_, cell)| cell.is_some());
        let number = |j: usize| Expected::Number(x[j].clone());
        let label = self.sheet.cell(row, Column::Y);
        has_some
            && vector.is_none_or(|cell| Expected::Vector(x.clone()).is(&cell))
            && cells.all(|(j, cell)| cell.is_none_or(|cell| number(j).is(&cell)))
            && label.is_none_or(|cell| self.sign(*sign).is(&cell))
    }

    fn sign(&self, sign: Sign) -> Expected {
        let is_plus = sign == Sign::Plus;
        Expected::Sign(is_plus, self.data.labels[usize::from(is_plus)].clone())
    }

    /// The weights of a row as the sheet has them, rounded perhaps.
    fn own(&self, row: Option<&SheetRow>) -> Option<Plane> {
        plane_of(self.sheet, row?, self.reading, self.run.w.len())
    }

    fn check(
        &self,
        row: &SheetRow,
        column: Column,
        expected: &Expected,
        reason: &dyn Fn() -> String,
    ) -> Result<(), Mismatch> {
        self.check_rounded(row, column, (expected, &|| None), reason)
    }

    /// Checks a cell that may also follow from rounded numbers.
    fn check_rounded(
        &self,
        row: &SheetRow,
        column: Column,
        (expected, rounded): (&Expected, &dyn Fn() -> Option<Expected>),
        reason: &dyn Fn() -> String,
    ) -> Result<(), Mismatch> {
        let Some(cell) = self.sheet.cell(row, column) else { return Ok(()) };
        if expected.is(&cell) || rounded().is_some_and(|rounded| rounded.is(&cell)) {
            return Ok(());
        }
        Err(Mismatch { column, expected: expected.text(), reason: reason() })
    }

    /// Checks epoch, visit, example, features and label.
    fn place(&self, row: &SheetRow, example: usize) -> Result<(), Mismatch> {
        let from = self.reading.first_number;
        let count = self.run.examples.len();
        let epoch = || format!("an epoch has {count} visits");
        self.check(row, Column::Epoch, &Expected::Whole(self.epoch - 1 + from), &epoch)?;
        let visit = || format!("visits are counted from {from}");
        let number = match (self.reading.listed, self.sheet.cell(row, Column::Visit)) {
            // Updates may be counted instead.
            (Listed::Updates, Some(cell)) if cell == self.updates.to_string() => self.updates,
            _ => self.visits - 1 + from,
        };
        self.check(row, Column::Visit, &Expected::Whole(number), &visit)?;
        let number = example as u64 + from;
        let order = || match self.options().order {
            Order::Given => "the examples are visited in their order".to_owned(),
            _ => "in the order of the seed".to_owned(),
        };
        self.check(row, Column::Example, &Expected::Whole(number), &order)?;
        let PaperExample { x, sign } = &self.run.examples[example];
        let of = || format!("of example {number}");
        self.check(row, Column::XVector, &Expected::Vector(x.clone()), &of)?;
        for (j, x) in x.iter().enumerate() {
            self.check(row, Column::X(j), &Expected::Number(x.clone()), &of)?;
        }
        self.check(row, Column::Y, &self.sign(*sign), &of)
    }

    /// Checks score, mistake, update and the weights after the visit.
    fn outcome(&self, row: &SheetRow, example: usize, visit: &PaperVisit) -> Result<(), Mismatch> {
        let x = &self.run.examples[example].x;
        let reasons = Reasons { reading: self.reading, run: &self.run, visit, example };
        let score = Expected::Number(visit.score.clone());
        let by = |row| self.own(row).map(|(w, b)| Expected::Number(paper::score(&w, &b, x)));
        let score = (&score, &(|| by(self.before)) as &dyn Fn() -> _);
        self.check_rounded(row, Column::Score, score, &|| reasons.score())?;
        if visit.mistake {
            self.check_blank(row, Column::Mistake, &reasons)?;
            self.check_blank(row, Column::Update, &reasons)?;
        }
        self.check(row, Column::Mistake, &Expected::Yes(visit.mistake), &|| reasons.mistake())?;
        let step = Expected::Number(visit.step.clone());
        self.check(row, Column::Step, &step, &|| reasons.step())?;
        let bias = self.reading.conventions.told(&visit.step * &self.run.bias_unit);
        let update = Expected::Update { step: visit.step.clone(), x: x.clone(), bias };
        self.check(row, Column::Update, &update, &|| reasons.step())?;
        let unit = &self.run.bias_unit;
        let moved = || self.own(self.before).map(|(w, b)| visit.moved(&w, &b, x, unit));
        self.plane(row, &moved, (&|| reasons.weights(), &|| reasons.bias()))?;
        let after = Expected::Number(visit.score_after.clone());
        let after = (&after, &(|| by(Some(row))) as &dyn Fn() -> _);
        self.check_rounded(row, Column::ScoreAfter, after, &|| reasons.score_after())?;
        self.check(row, Column::Alpha, &Expected::Whole(visit.alpha), &|| reasons.alpha())
    }

    /// Refuses the blank cell of a mistake in a column that marks the mistakes.
    fn check_blank(
        &self,
        row: &SheetRow,
        column: Column,
        reasons: &Reasons<'_>,
    ) -> Result<(), Mismatch> {
        if self.sheet.cell(row, column).is_none() && self.sheet.marks(column) {
            return Err(Mismatch { column, expected: "yes".to_owned(), reason: reasons.mistake() });
        }
        Ok(())
    }

    /// Checks weights and bias; `moved` are those that follow from rounded ones of the row before.
    fn plane(
        &self,
        row: &SheetRow,
        moved: &dyn Fn() -> Option<Plane>,
        (weights, bias): (&dyn Fn() -> String, &dyn Fn() -> String),
    ) -> Result<(), Mismatch> {
        let PaperRun { w, b, .. } = &self.run;
        if let Some(cell) = self.sheet.cell(row, Column::WVector) {
            let with_bias = numbers(&cell).len() == w.len() + 1;
            let all = |w: &[BigRational], b: &BigRational| {
                Expected::Vector(w.iter().chain(with_bias.then_some(b)).cloned().collect())
            };
            let rounded = || moved().map(|(w, b)| all(&w, &b));
            self.check_rounded(row, Column::WVector, (&all(w, b), &rounded), weights)?;
        }
        for (j, w) in w.iter().enumerate() {
            let rounded = || moved().map(|(mut w, _)| Expected::Number(w.swap_remove(j)));
            let exact = Expected::Number(w.clone());
            self.check_rounded(row, Column::W(j), (&exact, &rounded), weights)?;
        }
        for column in [Column::B, Column::Bias, Column::Threshold] {
            let told = |b: BigRational| {
                Expected::Number(match column {
                    Column::B => self.reading.conventions.told(b),
                    Column::Bias => b,
                    _ => -b,
                })
            };
            let rounded = || moved().map(|(_, b)| told(b));
            self.check_rounded(row, column, (&told(b.clone()), &rounded), bias)?;
        }
        Ok(())
    }
}
