/** The judge with every rule, for pages of other sites and for tests; a dialog loads only the parts that it needs. */
import * as hosts from "./hosts.js";
import {compile as compileParts} from "./judge.js";
import * as quantities from "./quantities.js";

/** Compiles the rules JSON into a judge; see judge.js. */
export const compile = (rules) => compileParts(rules, quantities, hosts);
