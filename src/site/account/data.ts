import { exportUser } from '../../accounts/export/export'
import { jsonHeaders } from '../../http/errors'
import { textStream } from '../../lib/text-stream'
import { isoTime } from '../../lib/time'
import { html } from '../../pages/html'
import { recent } from '../../web/access'
import { defineAction } from '../../web/form'
import { buttonForm } from '../../web/form-markup'
import { definePage } from '../../web/page'

export const data = definePage({
  path: '/settings/data',
  access: recent,
  show: (visit) => {
    const { t } = visit.pageContext
    const title = t.data.title
    return {
      title,
      main: html`
        <h1>${title}</h1>
        <p>${t.data.explained}</p>
        ${buttonForm(visit, '/settings/data/download', t.data.download)}`,
    }
  },
})

/** A POST, so that no other site can make a browser request it. */
export const downloadData = defineAction({
  path: '/settings/data/download',
  access: recent,
  run: (visit) => {
    const { deps, session, context } = visit
    deps.log('data_downloaded', { id: context.id, user: session.userId })
    const name = `kiroku-${session.username}-${isoTime(deps.now()).slice(0, 10)}.json`
    const headers = {
      ...jsonHeaders,
      'Content-Disposition': `attachment; filename="${name}"`,
    }
    return new Response(textStream(exportUser(deps, session.userId)), { headers })
  },
})
