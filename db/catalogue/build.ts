import { type JoinedPair, joinFacts } from '../../src/catalogue/default/join'
import { buildCatalogue } from './catalogue'
import { hashOfPack, pack } from './pack'
import { readSources } from './read-sources'

/** `bun db/catalogue/build.ts [OUT] [--contradictions]`: builds the embedded catalogue
 * and its hash; the flag lists wrong ids. */
async function build(args: readonly string[]) {
  const out = args.find((arg) => !arg.startsWith('--')) ?? 'dist/catalogue-default.jsonl.zst'
  const sources = await readSources()
  const joined = joinFacts(sources)
  const lines = buildCatalogue(sources, joined)
  const packed = pack(lines, 19)
  await Bun.write(out, packed, { createPath: true })
  await Bun.write(`${out}.hash.txt`, hashOfPack(packed))
  if (args.includes('--contradictions')) print(joined.contradictions.map(told))
  const works = lines.filter((line) => line.type === 'work' && 'title' in line)
  const known = works.filter((work) => work.ids.annict !== undefined)
  const left = new Set(joined.contradictions.map(({ item }) => item))
  const counts = `${lines.length} lines, ${works.length} works, ${known.length} with Annict ids`
  print([`${out}: ${counts}, ids of other works left out of ${left.size}, ${packed.length} bytes`])
}

const told = ({ item, fact, evidence }: JoinedPair) =>
  `${item.title} (${item.type}, ${item.begin.slice(0, 10)}) is not annict:${fact.annict} ${fact.title} (${fact.media}, ${fact.season ?? 'no season'}): ${JSON.stringify(evidence)}`

const print = (lines: readonly string[]) => process.stdout.write(lines.map((line) => `${line}\n`).join(''))

if (import.meta.main) await build(process.argv.slice(2))
