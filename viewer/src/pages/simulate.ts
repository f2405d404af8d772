// The motion of a mechanism.

import type { Page } from "../frame";
import { plainPage } from "./plain";

export const simulatePage: Page = (document) => plainPage(document);
