import { exportCatalogue } from '../../../catalogue/export/export'
import { type Command, flag } from '../../command'
import { withExistingStore } from '../../open'
import { writeOut } from '../../write-out'

const shareAlike = flag(
  'share-alike',
  'With what comes from anime-offline-database: who publishes that must do so under the ODbL.',
)

export const catalogueExport: Command = {
  name: 'catalogue export',
  summary: 'Writes the whole catalogue as JSONL, to a file or to standard output; an import takes it back.',
  operands: [{ name: 'FILE', optional: true }],
  options: [shareAlike],
  examples: [
    'kiroku catalogue export catalogue.jsonl',
    'kiroku catalogue export | zstd > catalogue.jsonl.zst',
  ],
  run: (call) =>
    withExistingStore(call, async ({ handle }) => {
      const [path = '-'] = call.operands
      await writeOut(
        call,
        path,
        withLineBreaks(exportCatalogue(handle, { withShareAlike: call.get(shareAlike) })),
      )
    }),
}

function* withLineBreaks(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`
}
