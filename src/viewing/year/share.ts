import { encodeSharePicture, sharePicture } from '../../covers/images/encode'
import { keepSharePicture } from '../../covers/images/store'
import { pictureProblem } from '../../covers/pages/picture-pages'
import { SentFile } from '../../http/request-values'
import { type ShareAudience, shareAudiences, shareYear, unshareYear } from '../../library/acts/share-acts'
import { pageScript } from '../../pages/assets'
import { html, type Markup } from '../../pages/html'
import { sprite } from '../../pages/icons'
import { formatDay, readerTime } from '../../pages/local-format'
import { matching, oneOf } from '../../values/text'
import { definePage, member } from '../../web/page'
import { FormProblem } from '../../web/problem'
import type { MemberVisit, Visit } from '../../web/visit'
import { type ActVisit, defineAct } from '../acts/act-route'
import { actForm } from '../parts/act-form'
import { userPath } from '../parts/find-user'
import { coversOf, figuresToShare, periodOf, type YearOf } from './count'
import { findOwnYear, findShare, type SharedYear } from './find-year'
import { yearHead, yearParts } from './view'

/** Below the head of one's own year: since when it is shared, to share it anew and to stop. */
export function sharing(visit: Visit, period: string, share: SharedYear | undefined): Markup {
  const { t, basePath } = visit
  const { username = '' } = visit.params
  const ask = (text: string) =>
    html`<a class="button" href="${basePath}/@${username}/${period}/share" data-dialog>${text}</a>`
  if (share === undefined) return html`<div class="year-sharing">${ask(t.year.shareDots)}</div>`
  const day = formatDay(visit, readerTime(visit, share.created_at).dayNumber, 'dayAndYear')
  const stop = actForm(
    visit,
    {
      act: 'year_unshare',
      path: '/year/unshare',
      fields: { period },
      swap: '.year-sharing',
      subject: period,
    },
    html`<button data-focus="share">${t.year.stop}</button>`,
  )
  return html`<div class="year-sharing"><p>${t.year.sharedAs(day)} · ${t.year.audiences[share.audience]}</p><div class="buttons">${ask(t.year.shareDots)}${stop}</div></div>`
}

/** A page, or a dialog on that of the year: who will see what of it. */
const sharePage = definePage({
  path: '/@:username/:period/share',
  access: member,
  show: async (visit) => {
    const { t } = visit
    const year = await findOwnYear(visit)
    const figures = await figuresToShare(visit, year.user.id, year.period)
    const works = await coversOf(visit, figures)
    const share = await findShare(visit, year.user.username, year.name)
    const title = t.year.shareTitle(t.year.name(figures.from, figures.until))
    const shown = { visit, figures, works, kicker: t.year.of(year.user.name) }
    const main = html`${sprite('great', 'good', 'average', 'bad')}<h1>${title}</h1>${shareForm(visit, year, share)}
      <section class="year-preview" aria-label="${t.year.preview}"><h2>${t.year.preview}</h2>
        <img src="${drawingPath(visit, year)}" alt="${t.year.pictureAlt(t.year.line(figures))}" width="1200" height="630" />
        ${yearHead(shown, html``, 'p')}${yearParts(shown, html``)}</section>`
    return { title, main, place: 'me', head: pageScript(visit, 'share.js') }
  },
})

const yearPath = (visit: Visit, { user, name }: YearOf) => `${userPath(visit, user)}/${name}`
const drawingPath = (visit: Visit, year: YearOf) => `${yearPath(visit, year)}/share.svg?size=wide&copy=1`

/** The script fills in the picture: what it makes of the drawing. */
function shareForm(visit: MemberVisit, year: YearOf, share: SharedYear | undefined): Markup {
  const { t, basePath } = visit
  const chosen = share?.audience ?? 'members'
  const option = (audience: ShareAudience) =>
    html`<label class="check"><input type="radio" name="audience" value="${audience}"${audience === chosen ? html` checked` : ''} /><span>${t.year.audiences[audience]}</span></label>`
  const form = {
    ...{ act: 'year_share', path: '/year/share', fields: { period: year.name }, swap: '.year-sharing' },
    ...{ subject: year.name, isLong: true as const, returnTo: yearPath(visit, year).slice(basePath.length) },
  }
  return actForm(
    visit,
    form,
    html`<fieldset><legend>${t.year.whoSees}</legend>${shareAudiences.map(option)}</fieldset><p class="meta">${t.year.leftOut}</p>
    <input type="file" name="picture" hidden data-picture="${sharePicture.width}x${sharePicture.height}" data-drawing="${drawingPath(visit, year)}" />
    <button class="filled">${share === undefined ? t.year.share : t.year.shareAgain}</button>`,
  )
}

const period = matching('^[0-9]{4}(-(0[1-9]|1[0-2]))?$', (t) => t.form.notOffered)

const shareRoute = defineAct({
  path: '/year/share',
  takesFile: true,
  values: { period, audience: oneOf(shareAudiences, (t) => t.form.notOffered) },
  run: async (visit, values, sent) => {
    const { deps, session } = visit
    const figures = await figuresToShare(visit, session.userId, periodOf(visit, values.period))
    return await withPicture(visit, sent.get('picture') ?? '', (picture) =>
      shareYear(deps, session.userId, { ...values, figures, picture }),
    )
  },
})

/** Without script there is none. */
async function withPicture<Shared>(
  { deps, session }: ActVisit,
  sent: string | object,
  share: (hash: string | null) => Promise<Shared>,
): Promise<Shared> {
  const bytes = sent instanceof SentFile ? sent.bytes : undefined
  if (bytes === undefined && sent !== '') throw new FormProblem('picture', (t) => t.pictures.notPicture)
  if (bytes === undefined || bytes.length === 0) return await share(null)
  try {
    const picture = await encodeSharePicture(bytes)
    return await keepSharePicture(deps, session.userId, picture, () => share(picture.hash))
  } catch (cause) {
    throw pictureProblem(cause) ?? cause
  }
}

export const shareRoutes = [
  sharePage,
  shareRoute,
  defineAct({
    path: '/year/unshare',
    values: { period },
    run: ({ deps, session }, values) => unshareYear(deps, session.userId, values),
  }),
]
