#!/bin/sh
# Tries the files of a release on a machine without a compiler, a network and a home that can be written.
#
#     trial.sh ARTEFACTS WHEELS TRANSCRIPT
#
# As root on Linux with debootstrap. ARTEFACTS is the folder that `cargo xtask release` writes; WHEELS has those of NumPy, SciPy,
# scikit-learn and what they need, for the Python of Debian 13. The tutorial's transcript is written to TRANSCRIPT.
set -eu
artefacts=$(realpath "$1") wheels=$(realpath "$2") transcript=$(realpath "$3")
project=$(realpath "$(dirname "$0")/../../..")
debian=${DEBIAN:-$project/target/trial/debian}
if [ ! -e "$debian/etc/debian_version" ]; then
    debootstrap --variant=minbase --include=python3,python3-venv,locales trixie "$debian" http://deb.debian.org/debian
fi
for name in de_DE tr_TR; do
    [ -e "$debian/usr/lib/locale/$name" ] || chroot "$debian" localedef -i $name -f UTF-8 /usr/lib/locale/$name
done

# A folder with blanks and letters beyond ASCII; a home that is empty, and one that cannot be written.
desk="/srv/Übung mit Leerzeichen"
rm -rf "${debian:?}$desk"
mkdir -p "$debian$desk" "$debian/srv/home" "$debian/srv/empty"
cp "$artefacts"/*x86_64-unknown-linux-musl.tar.gz "$artefacts"/*manylinux*x86_64.whl "$wheels"/*.whl "$debian$desk/"
cp "$project/docs/tutorials/ten-minutes.md" "$project/xtask/src/release/session.py" "$debian$desk/"
chmod -R a+rX "$debian$desk"
chmod 777 "$debian$desk"
chmod 555 "$debian/srv/home"
mount -t proc proc "$debian/proc"
mount --rbind /dev "$debian/dev"
mount --make-rslave "$debian/dev"
trap 'umount -R "$debian/dev" "$debian/proc"' EXIT

cat > "$debian/srv/trial" <<'TRIAL'
set -eu
cd "/srv/Übung mit Leerzeichen"
if command -v cargo || command -v cc; then exit 1; fi
tar xf rosenblatt-*-x86_64-unknown-linux-musl.tar.gz
unpacked=$(echo rosenblatt-*-musl)
PATH="$PWD/$unpacked:$PATH"
export PATH
rosenblatt --version

echo "== the same model wherever it is learned"
learn() { env "$@" rosenblatt train "$unpacked/data/iris.csv" --quiet -o Blüte.model && sha256sum Blüte.model | cut -c 1-16; }
{
    learn HOME=/srv/home
    learn HOME=/srv/empty
    learn HOME=/nonexistent
    learn HOME=/srv/home LC_ALL=de_DE.UTF-8 TZ=Pacific/Kiritimati
    learn HOME=/srv/home LC_ALL=tr_TR.UTF-8 TZ=America/St_Johns
    learn HOME=/srv/home LC_ALL=C
    env -i "$unpacked/rosenblatt" train "$unpacked/data/iris.csv" --quiet -o Blüte.model
    sha256sum Blüte.model | cut -c 1-16
} > models.txt
sort models.txt | uniq -c
test "$(sort -u models.txt | wc -l)" = 1

echo "== a terminal of 40 columns"
for line in "help train" "train $unpacked/data/iris.csv --no-timing" "man"; do
    script --quiet --return --command "stty cols 40; rosenblatt $line" /dev/null > forty.txt < /dev/null
    printf '%s: %s lines\n' "${line%% *}" "$(wc -l < forty.txt)"
done

echo "== the tutorial"
mkdir tutorial
cd tutorial
HOME=/srv/home LC_ALL=de_DE.UTF-8 python3 ../session.py ../ten-minutes.md "../$unpacked/data" ../transcript
cd ..

echo "== the wheel"
python3 -m venv env
HOME=/srv/home PIP_CONFIG_FILE=/dev/null env/bin/pip install --quiet --no-cache-dir --no-index --find-links . rosenblatt
HOME=/srv/home LC_ALL=tr_TR.UTF-8 env/bin/python - "$unpacked" <<'PYTHON'
import subprocess, sys
import rosenblatt
data = f"{sys.argv[1]}/data/iris.csv"
X, y = rosenblatt.read_csv(data)
model = rosenblatt.Perceptron().fit(X, y)
model.save("Wörter.model")
labels = rosenblatt.load("Wörter.model").predict(X)
subprocess.run(["rosenblatt", "train", data, "--no-folds", "--quiet", "-o", "command.model"], check=True)
predict = ["rosenblatt", "predict", "command.model", data, "--quiet"]
of_command = subprocess.run(predict, capture_output=True, text=True, check=True).stdout.splitlines()
assert list(labels) == list(model.predict(X)) == of_command
print("Python", sys.version.split()[0], "rosenblatt", rosenblatt.__version__, "score", round(model.score(X, y), 4))
PYTHON
TRIAL
unshare --net chroot --userspec=1000:1000 "$debian" env -i PATH=/usr/bin:/bin sh /srv/trial
cp "$debian$desk/transcript" "$transcript"
