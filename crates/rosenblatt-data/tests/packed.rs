//! Packed files hold what their source holds, to the last bit, and what is wrong with one is told.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

use std::{
    fs,
    path::{Path, PathBuf},
};

use rosenblatt_data::{
    Before, CacheUse, DataFiles, Dataset, Distrust, Encoder, OnError, PackError, ReadOptions,
    Reader, Source, pack, read, read_within,
};
use tempfile::TempDir;

const TABLE: &str = "a,color,b,text,y\n1,red,2.5,free x,no\n2,blue,1e3,b free,yes\n\
    -3,red,0,hi,no\n4,green,-0.0,hi b,maybe\n5,red,7,,yes\n";
const SPARSE: &str = "+1 1:0.5 7:2\n-1 2:1 3:-4\n+1 1:3\n-1\n";

/// A folder with a file.
fn folder(name: &str, text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    (folder, path)
}

fn learn(path: &Path, options: &ReadOptions) -> Result<Dataset, String> {
    let read = Source::open(path).and_then(|source| read(source, options));
    read.map_err(|error| error.to_string().replace(&path.display().to_string(), "data"))
}

/// The indices and the bits of the values of a row.
type Entries = (Vec<u32>, Vec<u64>);

/// Everything that training sees, with every bit.
fn seen(dataset: &Dataset) -> (Vec<Entries>, String) {
    let row = |i: usize| {
        let row = dataset.rows.row(i);
        (row.indices().unwrap_or_default().to_vec(), bits(row.values()))
    };
    let form = (dataset.rows.is_sparse(), dataset.rows.features());
    let (classes, numbers) = dataset.classes(None).unwrap();
    let numbers: String = numbers.iter().map(u32::to_string).collect();
    let rest = format!("{:?}", (form, &dataset.schema, classes, numbers, &dataset.notes));
    ((0..dataset.rows.len()).map(row).collect(), rest)
}

fn bits(values: rosenblatt_core::data::Values<'_>) -> Vec<u64> {
    match values {
        rosenblatt_core::data::Values::F64(values) => values.iter().map(|x| x.to_bits()).collect(),
        rosenblatt_core::data::Values::F32(_) => panic!("rows of files are of doubles"),
    }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// Sources and options: dense, with categories, with words, sparse, with rows left out.
fn sources() -> Vec<(&'static str, String, ReadOptions)> {
    let plain = ReadOptions::default;
    let words = ReadOptions { text: names(&["text"]), features: names(&["color"]), ..plain() };
    let skip = ReadOptions { on_error: OnError::Skip, ignore: names(&["text"]), ..plain() };
    let mut long = "x,y\n".to_owned();
    (0..200_000).for_each(|i| long += &format!("{}.5,{}\n", i * 7919, ["no", "yes", "1"][i % 3]));
    vec![
        ("t.csv", TABLE.to_owned(), ReadOptions { ignore: names(&["text"]), ..plain() }),
        ("t.csv", TABLE.to_owned(), ReadOptions { ignore: names(&["text,color"]), ..plain() }),
        ("t.csv", TABLE.to_owned(), words),
        ("t.csv", TABLE.replace("1e3", "x"), skip),
        ("t.libsvm", SPARSE.to_owned(), plain()),
        ("t.csv", long, ReadOptions { threads: 2, ..plain() }),
    ]
}

#[test]
fn packed_rows_are_those_of_the_source() {
    for (name, text, options) in sources() {
        let (folder, path) = folder(name, &text);
        let packed = folder.path().join("packed");
        let packing =
            pack(DataFiles { data: &path, more: &[], labels: None }, &options, &packed).unwrap();
        let (own, from_packed) =
            (learn(&path, &options).unwrap(), learn(&packed, &ReadOptions::default()).unwrap());
        assert_eq!(seen(&own), seen(&from_packed));
        assert_eq!(packing.rows, own.rows.len() as u64);
        assert_eq!(packing.bytes, fs::metadata(&packed).unwrap().len());
        // For a model, with and without labels.
        let classes = own.classes(None).unwrap().0;
        for classes in [None, Some(&classes)] {
            let source = Source::open(&packed).unwrap();
            let reader = Reader::for_model(source, &options, &own.schema, classes).unwrap();
            let encoder = Encoder::new(&own.schema);
            let mut rows = 0;
            for batch in reader {
                let batch = batch.unwrap();
                if let Some(classes) = classes {
                    assert_eq!(batch.classes(classes), own.classes(None).unwrap().1);
                }
                rows += encoder.encode_batch(batch).rows.len();
            }
            assert_eq!(rows, own.rows.len());
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}

/// Labels that a model does not know are errors at their row, or rows that are left out.
#[test]
fn unknown_labels_have_their_row() {
    let options = ReadOptions { ignore: names(&["text"]), ..ReadOptions::default() };
    let (folder, path) = folder("t.csv", TABLE);
    let packed = folder.path().join("packed");
    pack(DataFiles { data: &path, more: &[], labels: None }, &options, &packed).unwrap();
    let own = learn(&path, &options).unwrap();
    let two = rosenblatt_core::data::Classes::two(["no".to_owned(), "yes".to_owned()], 1).unwrap();
    let open = |on_error| {
        let options = ReadOptions { on_error, ..ReadOptions::default() };
        let source = Source::open(&packed).unwrap();
        Reader::for_model(source, &options, &own.schema, Some(&two))
    };
    let error = open(OnError::Stop).err().unwrap().to_string();
    assert!(error.contains("row 4: the label `maybe` is not a class of the model"), "{error}");
    let mut reader = open(OnError::Skip).unwrap();
    let batch = reader.next().unwrap().unwrap();
    assert_eq!((batch.len(), reader.notes().skipped), (4, 1));
    assert_eq!(batch.classes(&two), [0, 1, 0, 1]);
}

#[test]
fn columns_were_chosen_before() {
    let options = ReadOptions { ignore: names(&["text"]), ..ReadOptions::default() };
    let (folder, path) = folder("t.csv", TABLE);
    let packed = folder.path().join("packed");
    pack(DataFiles { data: &path, more: &[], labels: None }, &options, &packed).unwrap();
    let target =
        |target: &str| ReadOptions { target: Some(target.to_owned()), ..ReadOptions::default() };
    assert!(learn(&packed, &target("y")).is_ok());
    let expected = "data: cannot choose the column `a`: the columns of this packed file were chosen when it was packed";
    assert_eq!(learn(&packed, &target("a")).unwrap_err(), expected);
    let ignore = ReadOptions { ignore: names(&["a"]), ..ReadOptions::default() };
    assert_eq!(learn(&packed, &ignore).unwrap_err(), expected);
    let few = ReadOptions { max_features: 4, ..ReadOptions::default() };
    assert!(learn(&packed, &few).unwrap_err().contains("the limit is 4"));
    // A model with other columns.
    let other = learn(&path, &ReadOptions { ignore: names(&["text,a"]), ..options }).unwrap();
    let source = Source::open(&packed).unwrap();
    let made = Reader::for_model(source, &ReadOptions::default(), &other.schema, None);
    assert!(made.err().unwrap().to_string().contains("packed with other columns"));
}

#[test]
fn nothing_is_written_for_nothing() {
    let (folder, path) = folder("t.csv", "x,y\n");
    let packed = folder.path().join("packed");
    for text in ["x,y\n", "x,y\n1,no\n2,yes\n,no\n"] {
        fs::write(&path, text).unwrap();
        let error = pack(
            DataFiles { data: &path, more: &[], labels: None },
            &ReadOptions::default(),
            &packed,
        )
        .unwrap_err();
        assert!(matches!(error, PackError::Read(_)), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

/// Any byte that is changed, and any end that is cut off, is an error or changes nothing.
#[test]
fn damage_is_told() {
    for (name, text, options) in sources().into_iter().take(5) {
        let (folder, path) = folder(name, &text);
        let packed = folder.path().join("packed.arrow");
        pack(DataFiles { data: &path, more: &[], labels: None }, &options, &packed).unwrap();
        let whole = fs::read(&packed).unwrap();
        let own = learn(&packed, &ReadOptions::default()).unwrap();
        for (round, at) in (0..whole.len()).step_by(13).enumerate() {
            let changed = folder.path().join(format!("{}.arrow", round % 2));
            let mut bytes = whole.clone();
            if round % 3 == 0 {
                bytes.truncate(at);
            } else {
                bytes[at] ^= 1 << (round % 8);
            }
            // A new file each time: the last one is still mapped.
            let _ = fs::remove_file(&changed);
            fs::write(&changed, bytes).unwrap();
            if let Ok(dataset) = learn(&changed, &ReadOptions::default()) {
                // What is changed may be a name.
                assert_eq!(dataset.rows.len(), own.rows.len());
                for (row, own) in dataset.rows.iter().zip(own.rows.iter()) {
                    assert_eq!((row.indices(), row.values()), (own.indices(), own.values()));
                }
            }
        }
    }
}

/// The file beside the data is used when it is of the same bytes and options, and never otherwise.
#[test]
fn stale_packs_are_never_used() {
    let (folder, path) = folder("t.csv", TABLE);
    let beside = folder.path().join(".t.csv.rosenblatt-pack");
    let options = ReadOptions { ignore: names(&["text"]), ..ReadOptions::default() };
    let learned = |memory: usize, options: &ReadOptions| {
        let (dataset, beside) =
            read_within(DataFiles { data: &path, more: &[], labels: None }, options, memory)
                .unwrap();
        assert_eq!(seen(&dataset), seen(&learn(&path, options).unwrap()));
        assert_eq!(dataset.file, path.display().to_string());
        match beside {
            None => "in memory",
            Some(CacheUse::Used { .. }) => "used",
            Some(CacheUse::Packed { before: Before::Nothing, .. }) => "packed",
            Some(CacheUse::Packed { before: Before::Other, .. }) => "packed again",
            Some(CacheUse::Packed { before: Before::Damaged, .. }) => "was damaged",
            Some(other) => panic!("{other:?}"),
        }
    };
    assert_eq!(learned(1 << 20, &options), "in memory");
    assert!(!beside.exists());
    assert_eq!(learned(100, &options), "packed");
    assert_eq!(learned(100, &options), "used");
    assert_eq!(learned(1 << 20, &options), "used");
    assert_eq!(learned(100, &ReadOptions { threads: 3, ..options.clone() }), "used");
    // Other bytes of the same length, with the time of modification that they had.
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, TABLE.replace("1e3", "1e4")).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    assert_eq!(learned(1 << 20, &options), "in memory");
    assert_eq!(learned(100, &options), "packed again");
    assert_eq!(learned(100, &options), "used");
    // Other options.
    let other = ReadOptions { categorical: names(&["a"]), ..options.clone() };
    assert_eq!(learned(100, &other), "packed again");
    assert_eq!(learned(100, &options), "packed again");
    // Damage.
    let mut bytes = fs::read(&beside).unwrap();
    let middle = bytes.windows(8).position(|w| w == 1e4f64.to_le_bytes()).unwrap();
    bytes[middle + 2] ^= 1;
    fs::remove_file(&beside).unwrap();
    fs::write(&beside, bytes).unwrap();
    assert_eq!(learned(100, &options), "was damaged");
    let cut = fs::read(&beside).unwrap()[..100].to_vec();
    fs::write(folder.path().join("x"), cut).unwrap();
    fs::rename(folder.path().join("x"), &beside).unwrap();
    assert_eq!(learned(100, &options), "was damaged");
    // A packed file has none beside it.
    let (dataset, note) = read_within(
        DataFiles { data: &beside, more: &[], labels: None },
        &ReadOptions::default(),
        100,
    )
    .unwrap();
    assert!(note.is_none() && dataset.rows.len() == 5);
}

/// Learns from these bytes as a packed file of its own: the last one is still mapped.
fn learn_bytes(folder: &Path, bytes: &[u8]) -> Result<Dataset, String> {
    let path = folder.join("flipped.arrow");
    let _ = fs::remove_file(&path);
    fs::write(&path, bytes).unwrap();
    learn(&path, &ReadOptions::default())
}

/// Wherever it is: in the metadata of Arrow, the rows, the labels, the header, or in the hashes themselves.
#[test]
fn no_flipped_bit_goes_unseen() {
    let (folder, path) = folder("t.csv", "a,y\n1,no\n2,yes\n");
    let packed = folder.path().join("packed.arrow");
    pack(DataFiles { data: &path, more: &[], labels: None }, &ReadOptions::default(), &packed)
        .unwrap();
    let whole = fs::read(&packed).unwrap();
    assert_eq!(learn_bytes(folder.path(), &whole).unwrap().rows.len(), 2);
    for bit in 0..8 * whole.len() {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(learn_bytes(folder.path(), &flipped).is_err(), "bit {bit}");
    }
}

/// `tests/old_files/packed.arrow` is xor.csv as the first version packed it, without a checksum of the header.
#[test]
fn a_packed_file_of_the_first_version_is_read() {
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old_files/packed.arrow");
    let dataset = learn(&old, &ReadOptions::default()).unwrap();
    assert_eq!((dataset.rows.len(), dataset.notes.no_checksum), (4, true));
    let (_folder, path) = folder("t.csv", TABLE);
    let plain = learn(&path, &ReadOptions { ignore: names(&["text"]), ..ReadOptions::default() });
    assert!(!plain.unwrap().notes.no_checksum);
}

/// Rows that another program writes over while they are used are not believed at the end.
#[cfg(unix)]
#[test]
fn a_change_in_place_is_seen_at_the_end() {
    use std::os::unix::fs::FileExt;

    let options = ReadOptions { ignore: names(&["text"]), ..ReadOptions::default() };
    let (folder, path) = folder("t.csv", TABLE);
    let packed = folder.path().join("packed.arrow");
    pack(DataFiles { data: &path, more: &[], labels: None }, &options, &packed).unwrap();
    let whole = fs::read(&packed).unwrap();
    let place = whole.windows(8).position(|part| part == 1e3f64.to_le_bytes()).unwrap();
    let write = |bytes: &[u8]| {
        let file = fs::File::options().write(true).open(&packed).unwrap();
        file.write_all_at(bytes, place as u64).unwrap();
    };
    let changed = format!("{}: this packed file changed while it was read", packed.display());
    let dataset = learn(&packed, &ReadOptions::default()).unwrap();
    let open = || {
        let source = Source::open(&packed).unwrap();
        Reader::for_model(source, &ReadOptions::default(), &dataset.schema, None).unwrap()
    };
    dataset.check_unchanged().unwrap();
    assert!(open().all(|batch| batch.is_ok()));
    let mut reader = open();
    assert_eq!(reader.next().unwrap().unwrap().len(), 5);
    write(&1e4f64.to_le_bytes());
    assert_eq!(dataset.check_unchanged().unwrap_err().to_string(), changed);
    assert_eq!(reader.next().unwrap().err().unwrap().to_string(), changed);
    assert!(reader.next().is_none());
    write(&1e3f64.to_le_bytes());
    dataset.check_unchanged().unwrap();
    fs::File::options().write(true).open(&packed).unwrap().set_len(100).unwrap();
    assert_eq!(dataset.check_unchanged().unwrap_err().to_string(), changed);
}

/// A packed file that nobody named is believed only where the running user alone can have written it.
#[cfg(unix)]
#[test]
#[allow(clippy::cognitive_complexity)] // one case after the other
fn a_planted_pack_is_not_used() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    let options = ReadOptions { ignore: names(&["text"]), ..ReadOptions::default() };
    let (folder, path) = folder("t.csv", TABLE);
    let beside = folder.path().join(".t.csv.rosenblatt-pack");
    let learned = |memory: usize| {
        let (dataset, beside) =
            read_within(DataFiles { data: &path, more: &[], labels: None }, &options, memory)
                .unwrap();
        assert_eq!(seen(&dataset), seen(&learn(&path, &options).unwrap()));
        beside
    };
    let mode = || fs::metadata(&beside).unwrap().mode() & 0o777;
    let set_mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    // As readable as the source, and nobody else may write it.
    set_mode(&path, 0o666);
    assert!(matches!(learned(100), Some(CacheUse::Packed { before: Before::Nothing, .. })));
    assert_eq!(mode() & 0o622, 0o600);
    assert!(matches!(learned(100), Some(CacheUse::Used { .. })));
    for open in [0o620, 0o602, 0o666] {
        set_mode(&beside, open);
        let why = Distrust::OthersMayWrite;
        let told = learned(1 << 20);
        assert!(matches!(&told, Some(CacheUse::Distrusted { why: said, .. }) if *said == why));
        let told = learned(100);
        let expected = Before::Distrusted(why);
        assert!(matches!(&told, Some(CacheUse::Packed { before, .. }) if *before == expected));
        assert_eq!(mode() & 0o022, 0, "the new one has not the permissions of the old one");
        assert!(matches!(learned(100), Some(CacheUse::Used { .. })));
    }
    fs::remove_file(&beside).unwrap();
    set_mode(&path, 0o600);
    learned(100);
    assert_eq!(mode(), 0o600);
    // A link to a file that would be believed.
    let elsewhere = folder.path().join("elsewhere");
    fs::rename(&beside, &elsewhere).unwrap();
    symlink(&elsewhere, &beside).unwrap();
    let told = learned(1 << 20);
    assert!(matches!(told, Some(CacheUse::Distrusted { why: Distrust::NoFile, .. })));
    assert!(matches!(learned(100), Some(CacheUse::Failed { .. })));
    // Opening a pipe would wait for ever.
    fs::remove_file(&beside).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&beside).status().unwrap().success());
    assert!(matches!(learned(1 << 20), Some(CacheUse::Distrusted { why: Distrust::NoFile, .. })));
    assert!(matches!(learned(100), Some(CacheUse::Failed { .. })));
    fs::remove_file(&beside).unwrap();
    // Only the system's administrator can give a file to somebody else.
    learned(100);
    if std::os::unix::fs::chown(&beside, Some(12_345), None).is_ok() {
        let told = learned(1 << 20);
        let why = Distrust::OtherOwner(12_345);
        assert!(matches!(&told, Some(CacheUse::Distrusted { why: said, .. }) if *said == why));
        assert!(matches!(learned(100), Some(CacheUse::Packed { .. })));
        assert!(matches!(learned(100), Some(CacheUse::Used { .. })));
    }
}
