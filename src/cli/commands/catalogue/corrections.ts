import { correctionsLabel, exportCorrections } from '../../../catalogue/export/corrections'
import { settings } from '../../../config'
import type { Option } from '../../../options/option'
import { realDay } from '../../../values/time'
import type { Command } from '../../command'
import { withExistingStore } from '../../open'
import { writeOut } from '../../write-out'

const since: Option<string | undefined> = {
  name: 'since',
  type: 'YYYY-MM-DD',
  sentence: 'Only what was changed by hand since that day (UTC).',
  defaultText: '',
  defaultValue: undefined,
  value: realDay((t) => t.values.realDay),
}

export const catalogueCorrections: Command = {
  name: 'catalogue corrections',
  summary: 'Writes what was corrected by hand as JSONL, for other instances and the default catalogue.',
  operands: [{ name: 'FILE', optional: true }],
  options: [since],
  examples: [
    'kiroku catalogue corrections corrections.jsonl',
    'kiroku catalogue corrections --since 2026-10-01 | less',
  ],
  run: (call) =>
    withExistingStore(call, async ({ handle }) => {
      const [path = '-'] = call.operands
      const day = call.get(since)
      const label = correctionsLabel(handle, call.get(settings.baseUrl))
      const lines = exportCorrections(handle, {
        label,
        since: day === undefined ? undefined : Date.parse(day),
      })
      await writeOut(
        call,
        path,
        lines.map((line) => `${line}\n`),
      )
    }),
}
