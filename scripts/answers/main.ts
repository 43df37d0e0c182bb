/**
 * Records what a compiled kiroku answers, and compares two such recordings: the net under changes that must change
 * nothing one can observe. Build the old commit and record it, build the new one and record it, compare.
 *
 *   bun scripts/answers/main.ts record EXECUTABLE FILE [--only SECTION]
 *   bun scripts/answers/main.ts compare FILE FILE [--texts off]
 *
 * What is asked comes from the served /openapi.json, from `help`, and from the lists in this folder. The recorder knows
 * nothing of the source. It needs faketime (`apt-get install faketime`): the executable's clock stands still and moves
 * when the recorder says so, so only what is random has to be masked (masks.ts).
 *
 * `--texts off` leaves out the words of pages and letters; statuses, headers, links, forms and elements are compared.
 */
import { parseArgs } from 'node:util'
import { compareFiles } from './compare'
import { record } from './record'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, texts: { type: 'string', default: 'on' } },
})
const [command, first, second] = positionals
if (first === undefined || second === undefined || (command !== 'record' && command !== 'compare')) {
  console.error('usage: main.ts record EXECUTABLE FILE [--only SECTION] | compare FILE FILE [--texts off]')
  process.exit(64)
}
if (command === 'record') await record(first, second, values.only)
else process.exit(compareFiles(first, second, values.texts !== 'off') ? 0 : 1)
