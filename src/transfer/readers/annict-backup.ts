import { jsonValues } from '../file/json'
import { annictRefs, annictStatuses } from './annict'
import { entryOf, fieldsOf, textIn } from './fields'
import { jsonReader } from './reader'

/** The file of annict-backup: only works with their statuses. */
export const annictBackup = jsonReader(
  'annict-backup',
  /^(?:data\.)?viewer\.works\.nodes\[\]\.viewerStatusState$/,
  async function* (file) {
    for await (const { value } of jsonValues(file, '$.viewer.works.nodes.*', '$.data.viewer.works.nodes.*')) {
      const work = fieldsOf(value)
      const status = entryOf(annictStatuses, work.viewerStatusState)
      yield {
        ...annictRefs(work),
        title: textIn(work.title),
        status,
        ...(status === undefined && { skipped: 'nothing_to_import' }),
      }
    }
  },
)
