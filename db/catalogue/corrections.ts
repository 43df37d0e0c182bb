import { Correction } from '../../src/catalogue/default/sources'
import { readJsonLines } from './json-lines'

/** @throws if a line of `corrections.jsonl` has another shape */
export const readCorrections = (): Correction[] => readJsonLines('corrections.jsonl', Correction)
