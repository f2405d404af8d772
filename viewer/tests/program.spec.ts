// Pages as the program writes them: SLIPSTICK names it, else it is that of the preset dev.

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { expect, test } from "./fixtures/page";

const kProgram = process.env["SLIPSTICK"] ?? "../build/dev/apps/cli/slipstick";

/** A call, and words that its page must have. */
const kCalls: [call: string, words: string][] = [
  ["simulate sliding-block", "The mechanism came to rest"],
  ["simulate painleve-bar --on-jam branch --until 1", "each choice was followed"],
  ["simulate two-contact-body --until 0.1", "came to rest, at 0 s"],
  ["classify painleve-bar --set theta=1.2 --set theta_dot=1.5", "Indeterminate"],
  ["paradox two-link-rail --along theta1=-90*deg:90*deg", "theta1"],
  ["paradox rimless-wheel --map theta=-0.3:0.3 theta_dot=-1:1 --grid 21", "4: no answer"],
  ["critical-friction rimless-wheel", "0.28565714"],
  ["stability two-contact-body", "Theorem 3"],
  ["stability-map two-contact-body --over mu1=0.1:0.6:6 --over h=0.05:0.25:5", "infeasible"],
  ["outcomes sliding-block --over mu=0.1:0.9 --until 1", "Thresholds"],
  ["outcomes painleve-bar --over theta=0.6:1.5:21 --over theta_dot=-1:2:21 --of classify", "Corners where three outcomes meet"],
  ["outcomes sliding-block --over v0=1:3:5 --over mu=0.2:0.8:5 --key /end/time", "1.2"],
  ["outcomes sliding-block --uncertain mu=0.2:0.6 --draws 64 --end --until 1 --margin mu", "Margins"],
  ["gait compass-biped --continue alpha=1*deg:1.2*deg --slips=-0.2:0.2:3 --phases 5", "Multipliers"],
  ["gait rimless-wheel --set alpha=0.1*deg", "comes to rest"],
  ["jam sliding-rod --prevent rho", "acceleration centre"],
  ["jam rimless-wheel --set theta_dot=0.643 --from x_dot=0.1:0.7:7 --from theta=-0.31:-0.29:5", "How sliding ends over x_dot and theta"],
  ["reproduce 003", "7.4398"],
];

for (const [call, words] of kCalls)
  test(`slipstick ${call}`, async ({ path, open }) => {
    mkdirSync(dirname(path), { recursive: true });
    execFileSync(resolve(kProgram), [...call.split(" "), "--json", "--report", path], { stdio: ["ignore", "ignore", "inherit"] });
    const page = await open();
    await expect(page.locator("main")).toContainText(words, { ignoreCase: true });
    await expect(page.locator(".command code")).toContainText(`slipstick ${call.split(" ")[0]}`);
  });
