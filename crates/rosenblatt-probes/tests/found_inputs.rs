//! Inputs that the fuzz targets once found wanting, or that look like trouble, and the seeds, replayed for ever.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

use std::{collections::HashSet, fs, path::Path};

use rosenblatt_probes::{PROBES, Probe, seeds};

fn inputs() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/found_inputs"))
}

/// Every file in the folder of every probe.
#[test]
fn found_inputs() {
    let mut replayed = 0;
    for Probe { name, run } in PROBES {
        for entry in fs::read_dir(inputs().join(name)).unwrap() {
            let path = entry.unwrap().path();
            println!("{}", path.display());
            run(&fs::read(path).unwrap());
            replayed += 1;
        }
    }
    assert!(replayed >= PROBES.len(), "{replayed} inputs");
}

#[test]
fn seeds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let seeds = seeds::all(root);
    for seed in &seeds {
        println!("{} {}", seed.probe, seed.name);
        rosenblatt_probes::run(seed.probe, &seed.bytes);
    }
    let names: HashSet<_> = seeds.iter().map(|seed| (seed.probe, &seed.name)).collect();
    assert_eq!(names.len(), seeds.len(), "two seeds of one name");
    // Files of columns and workbooks are among the found inputs.
    let without = |probe: &&Probe| !seeds.iter().any(|seed| seed.probe == probe.name);
    let without: Vec<&str> = PROBES.iter().filter(without).map(|probe| probe.name).collect();
    assert!(
        without.iter().all(|name| ["idx", "parquet", "arrow", "workbook"].contains(name)),
        "{without:?}"
    );
}

/// A folder is that of a probe, so that nothing waits in vain to be replayed.
#[test]
fn folders_are_of_probes() {
    let columnar = ["parquet", "arrow", "workbook"];
    for entry in fs::read_dir(inputs()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let known =
            PROBES.iter().any(|probe| probe.name == name) || columnar.contains(&name.as_str());
        assert!(known, "there is no probe `{name}`");
    }
}
