import { downloadFor } from '../../http/answers-in-flight'
import { answerHeaders } from '../../http/errors'
import { isoTime } from '../../lib/time'
import { html, type Markup } from '../../pages/html'
import { exportedFile, exportFiles, listLeftOut } from '../../transfer/export/exported-file'
import type { ExportFormat } from '../../transfer/export/formats'
import { defineAction, formText } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { anyone, definePage, type PageRoute, recent, seeOther } from '../../web/page'
import { FormProblem, namedProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'

const path = '/settings/export'

export const exportRoutes: readonly PageRoute[] = [
  definePage({
    path,
    access: recent,
    show: async (visit) => {
      const { t, basePath } = visit
      const left = new Map((await listLeftOut(exporterOf(visit))).map(({ format, count }) => [format, count]))
      const formatsOfOthers = ['mal', 'yamtrack', 'simkl', 'csv'] as const
      return {
        title: t.exports.title,
        place: 'me',
        main: html`
        <h1>${t.exports.title}</h1>
        <p>${t.exports.explained}</p>
        <form method="post" action="${basePath}${path}/download">
          ${csrfInput(visit)}
          <ul class="offers">
            ${offer(visit, 'all')}
            ${offer(visit, 'kiroku')}
          </ul>
          <h2>${t.exports.others}</h2>
          <ul class="offers">${formatsOfOthers.map((format) => offer(visit, format, left.get(format)))}</ul>
        </form>`,
      }
    },
  }),
  // The old address, from when there was only one file.
  definePage({
    path: '/settings/data',
    access: anyone,
    show: (visit) => seeOther(visit, path),
  }),
  // A POST, so that no other site can make a browser request it.
  defineAction({
    path: `${path}/download`,
    access: recent,
    run: async (visit, sent) => {
      const { deps, session, context } = visit
      const asked = formText(sent, 'file')
      const name = exportFiles.find((one) => one === asked)
      if (name === undefined) throw namedProblem(new FormProblem('file', (t) => t.values.oneOf(exportFiles)))
      const { ending, mediaType, pieces } = await exportedFile(exporterOf(visit), name)
      const body = downloadFor(deps.write, session.userId, pieces)
      deps.log('data_downloaded', { id: context.id, user: session.userId, file: name })
      const fileName = `kiroku-${session.username}-${isoTime(deps.now()).slice(0, 10)}${ending}`
      const disposition = `attachment; filename="${fileName}"`
      const headers = { 'Content-Type': mediaType, ...answerHeaders, 'Content-Disposition': disposition }
      return new Response(body, { headers })
    },
  }),
]

function offer({ t }: MemberVisit, format: ExportFormat | 'all', left = 0): Markup {
  const { name, hint } = t.exports[format]
  return html`<li>
    <div>
      <b id="${format}">${name}</b>
      <p>${hint}</p>
      ${
        left === 0
          ? ''
          : html`<p>${t.exports.leftOut(left)}
            <button class="small quiet" name="file" value="${format}.left-out">${t.exports.whichOnes}</button></p>`
      }
    </div>
    <button class="${format === 'all' ? 'filled' : ''}" name="file" value="${format}" id="get-${format}" aria-labelledby="get-${format} ${format}">${t.exports.download}</button>
  </li>`
}

const exporterOf = ({ deps, session, preferences }: MemberVisit) => ({
  read: deps.seen,
  now: deps.now,
  userId: session.userId,
  timeZone: preferences.timeZone,
})
