import { exportCatalogue } from '../../../catalogue/export/export'
import { type Command, flag } from '../../command'
import { withExistingStore } from '../../open'
import { writeOut } from '../../write-out'

const shareAlike = flag(
  'share-alike',
  'Includes data from anime-offline-database, which may only be published under the ODbL.',
)

export const catalogueExport: Command = {
  name: 'catalogue export',
  summary: 'Writes the whole catalogue as JSONL, to a file or standard output; catalogue import reads it.',
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
