import { correctionsLabel, exportCorrections } from '../../catalogue/export/corrections'
import { databasePath } from '../../db/open'
import { openReader } from '../../db/reader'
import { downloadFor } from '../../http/answers-in-flight'
import { answerHeaders } from '../../http/errors'
import { isoTime } from '../../lib/time'
import { html } from '../../pages/html'
import { realDay } from '../../values/time'
import { textField } from '../../web/fields'
import { defineForm } from '../../web/form'
import { editor } from '../../web/page'
import { changesPath } from './undo-button'

export const correctionsPath = '/catalogue/corrections'

/** What was corrected by hand, as a file for other instances and the default catalogue (D98). */
export const correctionsPage = defineForm({
  path: correctionsPath,
  access: editor,
  fields: {
    since: textField({
      label: (t) => t.editing.correctedSince,
      hint: (t) => t.editing.correctedSinceHint,
      optional: true,
      value: realDay((t) => t.values.realDay),
    }),
  },
  button: (t) => t.exports.download,
  show: ({ t }, form) => ({
    title: t.editing.corrections,
    place: 'find',
    back: { path: changesPath, name: t.editing.allChanges },
    main: html`<h1>${t.editing.corrections}</h1><p>${t.editing.correctionsExplained}</p>${form}
      <p class="meta">${t.editing.correctionsTaken} <code>kiroku catalogue import FILE</code></p>`,
  }),
  submit: ({ deps, session }, { since }) => {
    const { data, baseUrl } = deps.config
    const body = downloadFor(
      deps.write,
      session.userId,
      correctionsFile(data, baseUrl, since === '' ? undefined : Date.parse(since)),
    )
    const name = `corrections-${isoTime(deps.now()).slice(0, 10)}.jsonl`
    const disposition = `attachment; filename="${name}"`
    return new Response(body, {
      headers: { 'Content-Type': 'application/jsonl', ...answerHeaders, 'Content-Disposition': disposition },
    })
  },
})

/** On a connection of its own, which ends with the file. */
async function* correctionsFile(
  directory: string,
  baseUrl: string,
  since: number | undefined,
): AsyncGenerator<string> {
  const reader = openReader(databasePath(directory), 2000)
  try {
    const label = correctionsLabel(reader.handle, baseUrl)
    let piece = ''
    for (const line of exportCorrections(reader.handle, { label, since })) {
      piece += `${line}\n`
      if (piece.length < pieceLength) continue
      yield piece
      piece = ''
      // Lets other requests in.
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    yield piece
  } finally {
    await reader.close()
  }
}

const pieceLength = 16_384
