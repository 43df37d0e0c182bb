import { exportCatalogue } from '../../../catalogue/export'
import type { Command } from '../../command'
import { withExistingStore } from '../../open'
import { writeOut } from '../../write-out'

export const catalogueExport: Command = {
  name: 'catalogue export',
  summary: 'Writes the whole catalogue as JSONL, to a file or to standard output; an import takes it back.',
  operands: [{ name: 'FILE', optional: true }],
  options: [],
  examples: [
    'kiroku catalogue export catalogue.jsonl',
    'kiroku catalogue export | zstd > catalogue.jsonl.zst',
  ],
  run: (call) =>
    withExistingStore(call, async ({ handle }) => {
      const [path = '-'] = call.operands
      await writeOut(call, path, withLineBreaks(exportCatalogue(handle)))
    }),
}

function* withLineBreaks(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`
}
