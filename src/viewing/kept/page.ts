import { keptFormOf, storeKeptForm } from '../../accounts/sign-in/session'
import { survivor } from '../../catalogue/survivors'
import { prepared, type SlotOf } from '../../db/prepared'
import { statusKinds } from '../../library/statuses'
import { html, type Markup } from '../../pages/html'
import { titled } from '../../pages/layout'
import { type Titles, titleMarkup } from '../../pages/title'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { defineAction } from '../../web/form'
import { buttonForm, csrfInput } from '../../web/form-markup'
import { type KeptForm, readKept } from '../../web/kept-form'
import { definePage, member, type PageRoute, seeOther } from '../../web/page'
import type { MemberVisit } from '../../web/visit'
import { actRoutes, statusRoutes } from '../acts/acts'
import { pastRoute } from '../acts/past'
import { recordAired, recordRoutes } from '../acts/record'
import { textOfAct } from '../acts/toast'
import { recordEdit, subjectOfOwn, viewingEdit } from '../own/edit-route'
import { longForm } from '../parts/act-form'
import { episodeName } from '../parts/episode-name'
import { ratingText } from '../parts/rating'
import { episodeToRecord } from '../sheet/episode-to-record'

/** What somebody pressed while signed out, to be pressed once more; the script does so itself if it saw the press. */
const keptPage = definePage({
  path: '/kept',
  access: member,
  show: async (visit) => {
    const { deps, session, t } = visit
    const [row] = await keptFormOf(deps.seen, { id: session.id })
    const kept = readKept(row?.kept_form ?? '')
    if (kept === undefined || !isAct(kept.path)) return seeOther(visit, '/')
    const main = html`<p>${t.kept.explained}</p>
      ${await subject(visit, kept)}
      ${sendForm(visit, kept)}
      ${buttonForm(visit, '/kept/discard', t.kept.discard, 'small')}`
    return titled(t.kept.title, main)
  },
})

const discard = defineAction({
  path: '/kept/discard',
  access: member,
  run: async (visit) => {
    await visit.deps.write((tx) => storeKeptForm(tx, visit.session.id, null))
    return seeOther(visit, '/')
  },
})

export const keptRoutes: readonly PageRoute[] = [keptPage, discard]

const acts = [
  ...actRoutes,
  ...recordRoutes,
  ...statusRoutes,
  recordAired,
  pastRoute,
  ...recordEdit,
  ...viewingEdit,
]

const isAct = (path: string): boolean =>
  acts.some((act) => act.method === 'POST' && new RegExp(`^${act.path.replace(':id', '[0-9]+')}$`).test(path))

const texts: readonly string[] = ['comment', 'text']

/** `kept` drops what is kept once it has been saved. */
function sendForm(visit: MemberVisit, { path, fields }: KeptForm): Markup {
  const { basePath, t, deps } = visit
  const sentId = fields.find(([name]) => name === 'form_id')?.[1]
  const id = sentId ?? deps.random(16).toBase64({ alphabet: 'base64url', omitPadding: true })
  const inputs = fields
    .filter(([name]) => name !== 'form_id' && name !== 'kept')
    .map(([name, text]) =>
      texts.includes(name) && text !== ''
        ? html`<div class="field"><label for="${name}">${t.sheet.comment}</label><textarea id="${name}" name="${name}" rows="4">${'\n'}${text}</textarea></div>`
        : html`<input type="hidden" name="${name}" value="${text}" />`,
    )
  return html`<form method="post" action="${basePath}${path}"${longForm} data-kept="${id}">
    ${csrfInput(visit)}<input type="hidden" name="form_id" value="${id}" /><input type="hidden" name="kept" value="1" />${inputs}
    ${sendButton(visit, path)}
  </form>`
}

function sendButton({ t }: MemberVisit, path: string): Markup {
  if (path.endsWith('/delete')) return html`<button class="danger">${t.common.delete}</button>`
  return html`<button class="filled">${path.startsWith('/undo') ? t.shell.undo : t.common.save}</button>`
}

/** The work, its episode, the status, the rating, the mark: as far as the form names them. */
async function subject(visit: MemberVisit, { path, fields }: KeptForm): Promise<Markup> {
  const { deps, session, t } = visit
  const sent = new Map(fields)
  const id = (name: string) => readIfValid(positiveInteger, sent.get(name) ?? '') ?? 0
  const [episode] = await episodeToRecord(deps.seen, { id: id('episode_id'), user: session.userId })
  const [work] =
    episode === undefined ? await titlesOfWork(deps.seen, { id: id('work_id') || id('works') }) : []
  const titles: Titles | undefined = episode ?? work
  const own = await subjectOfOwnForm(visit, path, id)
  const status = statusKinds.find((kind) => kind === sent.get('kind'))
  const rated = { rating: sent.get('rating_state') ?? null, score: Number(sent.get('score')) || null }
  const rating = sent.get('score_exact') || ratingText(visit, rated)
  const parts = [
    ...(own === undefined ? [] : [html`${own}`]),
    ...(titles === undefined ? [] : [titleMarkup(visit, titles)]),
    ...(episode === undefined ? [] : [html`${episodeName(visit, episode)}`]),
    ...(status === undefined ? [] : [html`${t.statuses[status]}`]),
    ...(rating === '' ? [] : [html`${rating}`]),
    ...(sent.get('private') === '1' ? [html`${t.privacy.onlyMe}`] : []),
  ]
  return parts.length === 0
    ? html``
    : html`<p><b>${parts.map((part, at) => html`${at === 0 ? '' : ' · '}${part}`)}</b></p>`
}

/** What `/records/501/edit` changes, `/record/delete` deletes (`record_id`) or `/undo` takes back (`act_id`). */
async function subjectOfOwnForm(
  visit: MemberVisit,
  path: string,
  idIn: (field: string) => number,
): Promise<Markup | string | undefined> {
  const edited = /^\/(record|viewing)s\/(\d+)\/edit$/.exec(path)
  if (edited !== null)
    return await subjectOfOwn(visit, edited[1] === 'record' ? 'record' : 'viewing', Number(edited[2]))
  if (path === '/record/delete') return await subjectOfOwn(visit, 'record', idIn('record_id'))
  if (path === '/viewing/delete') return await subjectOfOwn(visit, 'viewing', idIn('review_id'))
  return path === '/undo' ? await textOfAct(visit, idIn('act_id')) : undefined
}

const titlesOfWork = prepared((read, slot: SlotOf<{ id: number }>) =>
  read
    .selectFrom('works')
    .select(['title', 'title_en', 'title_ro'])
    .where('id', '=', survivor('works', slot('id')))
    .where('hidden', '=', 0),
)
