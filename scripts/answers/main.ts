/**
 * Regression check for refactorings: records the answers of a compiled kiroku, and compares two recordings.
 *
 *   bun scripts/answers/main.ts record EXECUTABLE FILE [--only SECTION]
 *   bun scripts/answers/main.ts compare FILE FILE [--texts off]
 *
 * The requests come from the served /openapi.json, from `help`, and from the lists in this folder, not from the
 * source. It needs faketime (`apt-get install faketime`) to control the executable's clock, so that only random
 * values need masks.
 *
 * `--texts off` ignores the words of pages and letters, and compares statuses, headers, links, forms and elements.
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
