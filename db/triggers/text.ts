import { counterTriggers } from './counters'
import { keyedView } from './keyed-rows'
import { rowCountTriggers } from './row-counts'
import { dependentVersionTriggers, hiddenTriggers, versionTriggers } from './versions'
import { withheldTriggers } from './withheld'

/** A migration with the triggers declared in db/facts, which first drops those of its latest predecessor. */
export const triggersText = (...earlier: readonly string[]): string =>
  [
    '-- Printed from db/facts by `bun run triggers`, and not to be changed by hand.\n',
    ...dropsOf(earlier.at(-1) ?? ''),
    section('Columns that count the rows of another table.', counterTriggers()),
    section(
      'Rows of a work are hidden with it: the guards refuse a row that disagrees with its work.',
      hiddenTriggers(),
    ),
    section('A change that does not raise the version of its row has it raised here.', versionTriggers()),
    section('Versions that grow with a change of another table.', dependentVersionTriggers()),
    section('How many rows lists have (0009_row_counts.sql).', [keyedView(), ...rowCountTriggers()]),
    section('Casts and staff are withheld while something they refer to is hidden.', withheldTriggers()),
  ].join('\n')

const dropsOf = (text: string) =>
  [...text.matchAll(/^create ((?:trigger|view) \w+)/gm)].map(([, what]) => `drop ${what};\n`)

const section = (what: string, statements: readonly string[]) => `-- ${what}\n\n${statements.join('\n')}`
