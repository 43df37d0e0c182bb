/**
 * Records what a compiled kiroku answers, and compares two such recordings: the net under changes that must change
 * nothing one can observe. Build the old commit and record it, build the new one and record it, compare.
 *
 *   bun scripts/answers/main.ts record EXECUTABLE FILE
 *   bun scripts/answers/main.ts compare FILE FILE
 *
 * What is asked comes from the served /openapi.json, from `help`, and from the lists in this folder. The recorder knows
 * nothing of the source. It needs faketime (`apt-get install faketime`): the executable's clock stands still and moves
 * when the recorder says so, so only what is random has to be masked (masks.ts).
 */
import { compareFiles } from './compare'
import { record } from './record'

const [command, first, second] = process.argv.slice(2)
if (first === undefined || second === undefined || (command !== 'record' && command !== 'compare')) {
  console.error('usage: main.ts record EXECUTABLE FILE | compare FILE FILE')
  process.exit(64)
}
if (command === 'record') await record(first, second)
else process.exit((await compareFiles(first, second)) ? 0 : 1)
