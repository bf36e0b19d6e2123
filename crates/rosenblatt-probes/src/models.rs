//! Any bytes as a model.

use rosenblatt_core::{data::Rows, keep::Tally, model::PredictOptions};
use rosenblatt_data::{
    Encoder, ExportFormat, Header, ModelFile, OnError, ReadOptions, Reader, export,
};

use crate::{digest::repaired, readers::source};

/// A model that is accepted comes back the same when it is written again, and can be exported.
pub(crate) fn model_file(bytes: &[u8]) {
    let Ok(model) = ModelFile::from_bytes("probe", &repaired(bytes)) else { return };
    let Ok(again) = model.to_bytes() else { panic!("an accepted model cannot be written") };
    let Ok(read_back) = ModelFile::from_bytes("probe", &again) else {
        panic!("a written model cannot be read")
    };
    assert_eq!(model, read_back);
    let names = model.schema.feature_names();
    assert_eq!(names.len(), model.model.features());
    let linear = model.model.classifier().linear().is_some();
    for format in [ExportFormat::Onnx, ExportFormat::Json, ExportFormat::Csv] {
        let exported = export(&model, format);
        assert_eq!(exported.is_ok(), linear || format == ExportFormat::Json);
    }
}

/// Features of rows that are classified.
const MAX_FEATURES: usize = 1 << 10;

const VALUES: [f64; 9] = [0.0, 1.0, -1.0, 0.1, 5e-324, -1e300, f64::MAX, f64::MIN_POSITIVE, -0.0];

/// Data in every form of text, which a model reads or refuses.
const DATA: [&str; 4] =
    ["1,2,3\n", "a,b,y\n1,2,no\n", "1 1:0.5 2:-1e308\n-1\n", "x\ty\n\"1\t\"\t1e-5\n"];

/// A model that is accepted predicts: a class that there is and finite scores, or an error.
pub(crate) fn model_predicts(bytes: &[u8]) {
    let Ok(file) = ModelFile::from_bytes("probe", &repaired(bytes)) else { return };
    let features = file.model.features();
    if features > MAX_FEATURES {
        return;
    }
    let rows = (0..4).map(|row| (0..features).map(move |j| VALUES[(row * 7 + j) % VALUES.len()]));
    predicts(&file, &Rows::dense(rows.flatten().collect::<Vec<f64>>(), features).unwrap());
    predicts(&file, &Rows::sparse(vec![0, 0], vec![], Vec::<f64>::new(), features).unwrap());
    DATA.iter().for_each(|text| reads(&file, text));
}

fn predicts(file: &ModelFile, rows: &Rows<'_>) {
    let (classes, planes) =
        (file.model.classes().names().len(), file.model.classes().scheme().hyperplanes());
    for tally in Tally::ALL {
        let options = PredictOptions { tally, ..PredictOptions::default() };
        if let Ok(found) = file.model.classify(rows, options, true) {
            assert_eq!(found.classes.len(), rows.len());
            assert!(found.classes.iter().all(|&class| (class as usize) < classes));
            assert_eq!(found.scores.len(), rows.len() * planes);
            assert!(found.scores.iter().all(|score| !score.is_nan()), "{:?}", found.scores);
            let alone = file.model.classify(rows, options, false).unwrap();
            assert_eq!(found.classes, alone.classes);
        }
        // The other tallies are of votes.
        if file.model.classifier().support().is_none() {
            break;
        }
    }
    let _ = file.model.predict_baseline(rows);
    let _ = file.model.baseline().majority();
}

/// Reads data as the model's own file says.
fn reads(file: &ModelFile, text: &str) {
    let options =
        ReadOptions { on_error: OnError::Skip, header: Header::Expected, ..ReadOptions::default() };
    let source = source(text.as_bytes()).unwrap();
    let Ok(reader) = Reader::for_model(source, &options, &file.schema, Some(file.model.classes()))
    else {
        return;
    };
    let encoder = Encoder::new(&file.schema);
    for batch in reader.flatten() {
        predicts(file, &encoder.encode_batch(batch).rows);
    }
}
