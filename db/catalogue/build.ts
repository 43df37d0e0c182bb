import { buildCatalogue } from './catalogue'
import { pack } from './pack'

/** Makes the catalogue that is embedded in the executable: `bun db/catalogue/build.ts [OUT]`. */
async function build(out = 'dist/catalogue-default.jsonl.zst') {
  const lines = buildCatalogue()
  const packed = pack(lines)
  await Bun.write(out, packed, { createPath: true })
  const works = lines.filter((line) => line.type === 'work')
  const known = works.filter((work) => work.ids.annict !== undefined)
  const counts = `${lines.length} lines, ${works.length} works, ${known.length} with Annict ids`
  process.stdout.write(`${out}: ${counts}, ${packed.length} bytes\n`)
}

if (import.meta.main) await build(process.argv[2])
