/// Result files as a user meets them: `simulate` writes them, `show` and `rerun` read them, and so
/// does h5py.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run_cli.h"

namespace slipstick::testkit {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

class ResultFileCliTest : public CliTest {
 protected:
  /// Simulates into `here`, without looking at what is printed.
  void simulate(std::vector<std::string> args) const {
    args.insert(args.begin(), "simulate");
    args.insert(args.end(), {"--out", "here"});
    (void)answer(args);
  }
  /// Runs a script with `h5py` and `numpy`, in the working directory.
  [[nodiscard]] CliResult run_python(const std::string& script) const {
    return run_program("/usr/bin/python3", {"-c", "import h5py, numpy\n" + script}, directory());
  }
  void change(const std::string& script) const {
    const CliResult result =
        run_python("with h5py.File('here/simulate.h5', 'r+') as f:\n  " + script);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
};

TEST_F(ResultFileCliTest, RunsAreRepeatedFromTheFileAlone) {
  const std::vector<std::vector<std::string>> runs{
      {"two-link-rail", "--until", "1"},
      {"rimless-wheel", "--set", "theta=-.3", "--set", "theta_dot=.643", "--set", "x_dot=.5",
       "--until", "0.2"},
      {"bouncing-ball"},
      {"bouncing-ball", "--max-events", "3", "--law", "newton"},
      {"compass-biped", "--until", "3", "--tol", "1e-9", "--sample", "0.1"},
      {"painleve-bar", "--on-jam", "stop"},
      {"two-link-rail", "--on-inconsistent", "stop"}};
  for (const auto& args : runs) {
    SCOPED_TRACE(args[0]);
    simulate(args);
    EXPECT_THAT(answer({"rerun", "here/simulate.h5"}), MatchesRegex("identical: [0-9]+ bytes\n"));
  }
}

/// The model's file may change or go; the result keeps its text.
TEST_F(ResultFileCliTest, TheModelFileIsNotNeeded) {
  write("mine.toml", answer({"models", "sliding-block", "--source"}));
  simulate({"mine.toml", "--set", "mu=.25"});
  write("mine.toml", "");
  EXPECT_THAT(answer({"rerun", "here/simulate.h5"}), StartsWith("identical: "));
  EXPECT_THAT(answer({"show", "here/simulate.h5"}), HasSubstr("mine.toml --set mu=.25"));
}

TEST_F(ResultFileCliTest, ShowTellsModelOptionsAndEvents) {
  simulate({"sliding-block", "--set", "v0=2", "--until", "3", "--on-jam", "stop"});
  const std::string out = answer({"show", "here/simulate.h5"});
  EXPECT_THAT(out, HasSubstr("schema 1\n"));
  EXPECT_THAT(out, HasSubstr("sliding-block --set v0=2\n"));
  EXPECT_THAT(out, HasSubstr("--until 3 --tol 1e-13 --max-events 10000"));
  EXPECT_THAT(out, HasSubstr("--on-jam stop --on-impact prefer\n"));
  EXPECT_THAT(out, HasSubstr("stick "));
  EXPECT_THAT(out, HasSubstr("end: rest at 0.407747196738 s"));
}

TEST_F(ResultFileCliTest, ShowAsJsonHasTheRunsOwnDocument) {
  simulate({"bouncing-ball", "--until", "1", "--set", "e=.5"});
  const Json shown = parse_json(answer({"show", "here/simulate.h5", "--json"}));
  const Json document = parse_json(read_file(directory() / "here/simulate.json"));
  for (const auto& [key, value] : document.items()) EXPECT_EQ(shown.at(key), value) << key;
  EXPECT_EQ(shown.at("program"), "slipstick");
  EXPECT_EQ(shown.at("schema"), 1);
  EXPECT_EQ(shown.at("settings"), Json::array({"e=.5"}));
  EXPECT_EQ(shown.at("options").at("until"), 1.0);
  EXPECT_EQ(shown.at("options").at("law"), nullptr);
  EXPECT_EQ(shown.at("bytes"), read_file(directory() / "here/simulate.h5").size());
  EXPECT_EQ(shown.at("segments"), document.at("steps"));
}

TEST_F(ResultFileCliTest, ChangesAreFound) {
  const auto rerun = [&] {
    const CliResult result = run({"rerun", "here/simulate.h5"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.err, "");
    return result.out;
  };
  simulate({"sliding-block"});
  change("f['runs/0/trajectory/q'][1, 0] = 0.5");
  EXPECT_THAT(rerun(), HasSubstr("first difference: /runs/0/trajectory/q: row 1, 0: 0.5 and "));
  simulate({"sliding-block"});
  change("f['runs/0'].attrs['end_time'] = 0.6");
  EXPECT_THAT(rerun(), HasSubstr("first difference: /runs/0: end_time: 0.6 and 0.61162079510"));
  simulate({"sliding-block"});
  change("f['runs/0'].attrs['more'] = 1");
  EXPECT_THAT(rerun(), HasSubstr("first difference: /runs/0: 'more' and nothing"));
  simulate({"sliding-block"});
  change("f.attrs.modify('version', numpy.bytes_('0.0.9'))");
  EXPECT_THAT(rerun(), HasSubstr("versions: 0.0.9 wrote the file, this is "));
  simulate({"sliding-block"});
  change("f['options'].attrs['until'] = 0.5");
  EXPECT_THAT(rerun(), HasSubstr("first difference: /runs/0: "));
}

TEST_F(ResultFileCliTest, BadFiles) {
  for (const char* verb : {"show", "rerun"}) {
    EXPECT_THAT(refuse({verb}), HasSubstr("expected FILE, got nothing"));
    EXPECT_THAT(refuse({verb, "none.h5"}),
                HasSubstr("none.h5: expected a file that can be read, got none"));
    EXPECT_THAT(refuse({verb, "."}), HasSubstr(".: expected a file, got a directory"));
    EXPECT_THAT(refuse({verb, "/dev/null"}), HasSubstr("expected a file, got something else"));
    write("huge.h5", "");
    std::filesystem::resize_file(directory() / "huge.h5", 1ULL << 33U);  // takes no room on disk
    EXPECT_THAT(refuse({verb, "huge.h5"}), HasSubstr("expected a file of at most 4 GiB"));
    write("text.h5", "name = 'x'\n");
    EXPECT_THAT(refuse({verb, "text.h5"}), HasSubstr("text.h5: expected a whole HDF5 file"));
    ASSERT_EQ(run_python("h5py.File('other.h5', 'w')['x'] = [1.0]").exit_code, 0);
    EXPECT_THAT(refuse({verb, "other.h5"}), HasSubstr("expected a result file of slipstick"));
    simulate({"sliding-block"});
    const std::string bytes = read_file(directory() / "here/simulate.h5");
    write("short.h5", bytes.substr(0, bytes.size() - 1));
    EXPECT_THAT(refuse({verb, "short.h5"}), HasSubstr("cut short or damaged"));
    change("f.attrs['schema'] = 3");
    EXPECT_THAT(refuse({verb, "here/simulate.h5"}),
                HasSubstr("expected a result file of schema up to 1, got schema 3"));
    simulate({"sliding-block"});
    change("f['options'].attrs['until'] = float('nan')");
    EXPECT_THAT(refuse({verb, "here/simulate.h5"}),
                HasSubstr("/options: until: expected a finite number, got nan"));
    simulate({"sliding-block"});
    change("f['model/text'][()] = b'no model'");
    EXPECT_THAT(refuse({verb, "here/simulate.h5"}), HasSubstr("here/simulate.h5: its model: "));
    simulate({"sliding-block"});
    change("del f['model/settings']; f['model/settings'] = 'mu=2'");
    EXPECT_THAT(refuse({verb, "here/simulate.h5"}), HasSubstr("/model/settings: expected"));
  }
}

/// Files that h5py makes and `simulate` does not: refused before HDF5 converts a value, follows a
/// link or takes memory.
TEST_F(ResultFileCliTest, CraftedFilesAreRefused) {
  struct Craft {
    const char* script;
    const char* refusal;
  };
  const std::string put = "g = f['runs/0/segments']; del g['from']; ";
  const std::vector<Craft> crafts{
      {"del f['model/text']; f['model/text'] = h5py.ExternalLink('other.h5', '/model/text')",
       "/model/text: expected a part of the file, got a link"},
      {"del f['model/text']; f['model/text'] = h5py.SoftLink('/runs/0/events')",
       "/model/text: expected a part of the file, got a link"},
      {"del f['runs/0']; f['runs/0'] = h5py.ExternalLink('other.h5', '/runs/0')",
       "/runs/0: expected a part of the file, got a link"},
      {"f['options'].attrs['until'] = numpy.float32(1)", "until: expected doubles"},
      {"f['options'].attrs['until'] = numpy.array(1.0, '>f8')", "until: expected doubles"},
      {"f['runs'].attrs['count'] = numpy.int32(1)", "count: expected doubles"},
      {"f['model'].attrs['file'] = 'of any length'", "file: expected doubles"},
      {"f['options'].attrs['until'] = f['runs'].ref", "until: expected doubles"},
      // A float whose parts lie elsewhere, which the library would move within its own memory.
      {"t = h5py.h5t.IEEE_F64LE.copy(); t.set_fields(63, 50, 13, 0, 50); o = f['options']; "
       "del o.attrs['until']; h5py.h5a.create(o.id, b'until', t, h5py.h5s.create(h5py.h5s.SCALAR))",
       "until: expected doubles"},
      {"g['from'] = numpy.zeros(3, 'f4')", "segments/from: expected doubles"},
      {"g.create_dataset('from', data=numpy.zeros(10**7), compression='gzip')",
       "segments/from: expected plain values"},
      {"g.create_dataset('from', shape=(10**12,), dtype='f8')",
       "segments/from: expected values that fit into the file"},
      {"g.create_dataset('from', shape=(100,), dtype='f8')",  // never written
       "segments/from: expected values that fit into the file"},
      {"l = h5py.VirtualLayout((5,), 'f8'); l[:] = h5py.VirtualSource('other.h5', 'x', (5,)); "
       "g.create_virtual_dataset('from', l)",
       "segments/from: expected plain values"},
      // One run under many names would take any amount of memory.
      {"r = f['runs']; r.attrs['count'] = 5000; r['0'].attrs['parent'] = 0; "
       "r['0'].attrs['choice'] = numpy.bytes_('x'); [r.__setitem__(str(i), r['0']) for i in "
       "range(1, 5000)]",
       "expected each value under one name"}};
  for (const Craft& craft : crafts) {
    SCOPED_TRACE(craft.script);
    simulate({"sliding-block"});
    change((std::string(craft.script).starts_with('g') || std::string(craft.script).starts_with('l')
                ? put
                : "") +
           craft.script);
    for (const char* verb : {"show", "rerun"}) {
      EXPECT_THAT(refuse({verb, "here/simulate.h5"}), HasSubstr(craft.refusal));
    }
  }
}

/// A group that contains all others many times over, of which `rerun` looks at every part.
TEST_F(ResultFileCliTest, GroupsThatContainThemselves) {
  simulate({"sliding-block"});
  // Equal to what is repeated until the loop is met: it comes under a name that both have.
  change("del f['runs/0/segments']; f['runs/0/segments'] = f['runs']");
  EXPECT_THAT(refuse({"rerun", "here/simulate.h5"}), HasSubstr("here/simulate.h5"));
}

/// Control characters are shown as text and not sent to the terminal.
TEST_F(ResultFileCliTest, ControlCharactersAreShown) {
  simulate({"sliding-block"});
  change("f['runs/0'].attrs['end_detail'] = numpy.bytes_(b'\\x1b[2J \\xc2\\x9b31m \\xff')");
  const std::string out = answer({"show", "here/simulate.h5"});
  EXPECT_THAT(out, HasSubstr(R"(: \x1b[2J \u009b31m \xff)"));
  EXPECT_EQ(out.find('\x1b'), std::string::npos);
  change("f['runs/0'].attrs['end'] = numpy.bytes_(b'\\x1b]0;x\\xc2\\x9c')");
  const std::string refusal = refuse({"show", "here/simulate.h5"});
  EXPECT_EQ(refusal.find('\x1b'), std::string::npos);
  EXPECT_EQ(refusal.find("\xc2\x9c"), std::string::npos);
}

/// A reader that waits for a pipe's other end, or for a device to end, never answers.
TEST_F(ResultFileCliTest, PipesAndDevicesAreRefused) {
  ASSERT_EQ(run_program("/usr/bin/mkfifo", {"pipe.h5"}, directory()).exit_code, 0);
  for (const char* verb : {"show", "rerun"}) {
    EXPECT_THAT(refuse({verb, "pipe.h5"}), HasSubstr("expected a file, got something else"));
    EXPECT_THAT(refuse({verb, "/dev/zero"}), HasSubstr("expected a file, got something else"));
  }
}

/// A run that is interrupted leaves all files, and is repeated up to the same step. It would take
/// very long; the signal is sent as soon as the program catches it.
TEST_F(ResultFileCliTest, InterruptedRunLeavesAFile) {
  const CliResult result = run_python(std::string("program = '") + SLIPSTICK_CLI + R"('
import signal, subprocess
args = 'simulate compass-biped --until 1e9 --max-events 2000000000 --out here'.split()
child = subprocess.Popen([program] + args, stdout=subprocess.PIPE)
def catches_interrupt():
    for line in open(f'/proc/{child.pid}/status'):
        if line.startswith('SigCgt:'):
            return int(line.split()[1], 16) >> (signal.SIGINT - 1) & 1
while not catches_interrupt():
    pass
child.send_signal(signal.SIGINT)
print(child.communicate()[0].decode(), child.returncode)
)");
  EXPECT_THAT(result.out, HasSubstr("end: interrupted at ")) << result.err;
  EXPECT_THAT(result.out, EndsWith(" 130\n"));
  EXPECT_THAT(answer({"show", "here/simulate.h5"}), HasSubstr("end: interrupted at "));
  EXPECT_THAT(answer({"rerun", "here/simulate.h5"}), StartsWith("identical: "));
}

/// A limit on the size of files takes the place of a full disk.
TEST_F(ResultFileCliTest, FullDiskLeavesNothing) {
  const CliResult result =
      run_program("/bin/sh",
                  {"-c", std::string("trap '' XFSZ; ulimit -f 100; exec '") + SLIPSTICK_CLI +
                             "' simulate compass-biped --sample 1 --out here"},
                  directory());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("here/simulate.h5: expected a place to write to"));
  EXPECT_THAT(list_files(), IsEmpty());
}

/// The HDF5 library puts more than 64 members in a tree of records and in a heap, both of several
/// levels. Older files of slipstick have them.
TEST_F(ResultFileCliTest, ManyMembersOfAnotherWriter) {
  simulate({"sliding-block"});
  change("[f.create_group(f'more-{i}').attrs.__setitem__('x', i) for i in range(5000)]");
  const CliResult result = run({"rerun", "here/simulate.h5"});
  EXPECT_THAT(result.out, HasSubstr("first difference: /: 'more-0' and nothing")) << result.err;
}

TEST_F(ResultFileCliTest, H5pyReadsIt) {
  simulate({"rimless-wheel", "--until", "1"});
  write("model.toml", answer({"models", "rimless-wheel", "--source"}));
  const CliResult result = run_python(R"(
f = h5py.File('here/simulate.h5')
print(f.attrs['program'].decode(), f.attrs['schema'], f['model'].attrs['name'].decode())
print(*[name.decode() for name in f['model'].attrs['coordinates']])
run = f['runs/0']
trajectory = run['trajectory']
print(run.attrs['end'].decode(), run.attrs['end_time'])
words = [word.decode() for word in run.attrs['modes']]
print(words[trajectory['mode'][0]], trajectory['q'].shape == trajectory['v'].shape)
print(f['model/text'][()].decode() == open('model.toml').read())
print(run['events'][()].decode() == open('here/events.jsonl').read())
)");
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out, "slipstick 1 rimless-wheel\nx y theta\ntime 1.0\nSFF True\nTrue\nTrue\n");
}

/// The formula of docs/formats.md in Python against trajectory.csv, sliding (in stretched time) and
/// sticking.
TEST_F(ResultFileCliTest, H5pyEvaluatesTheSegments) {
  const std::string script = R"(
import csv
def evaluate(c, x):  # docs/formats.md
    y = numpy.zeros(c.shape[1])
    for k in range(7, 0, -1):
        y = (y + c[k]) * (x if k % 2 else 1 - x)
    return c[0] + y
f = h5py.File('here/simulate.h5')
segments = f['runs/0/segments']
n = len(f['model'].attrs['coordinates'])
table = list(csv.DictReader(open('here/trajectory.csv')))
names = [name.decode() for name in f['model'].attrs['coordinates']]
names += [name + '_dot' for name in names] + ['t']
worst, count = 0.0, 0
for start, end, cut, c in zip(segments['from'], segments['to'], segments['theta_end'],
                              segments['coefficients']):
    for row in table:
        t = float(row['t'])
        if not start < t < end:
            continue
        low, high = 0.0, cut
        while low < (middle := 0.5 * (low + high)) < high:
            low, high = (middle, high) if evaluate(c, middle)[2 * n] < t else (low, middle)
        y = evaluate(c, high)
        worst = max([worst] + [abs(y[i] - float(row[names[i]])) for i in range(2 * n + 1)])
        count += 1
print(worst < 1e-12, count > 50)
)";
  simulate({"rimless-wheel", "--set", "theta=-.3", "--set", "theta_dot=.643", "--set", "x_dot=.5",
            "--until", "0.15", "--sample", "0.0025"});
  const CliResult sliding = run_python(script);
  EXPECT_EQ(sliding.out, "True True\n") << sliding.err;
  simulate({"compass-biped", "--until", "1", "--sample", "0.01"});
  const CliResult walking = run_python(script);
  EXPECT_EQ(walking.out, "True True\n") << walking.err;
}

}  // namespace
}  // namespace slipstick::testkit
