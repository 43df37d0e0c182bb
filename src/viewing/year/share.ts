import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import { type ShareAudience, shareAudiences, shareYear, unshareYear } from '../../library/acts/share-acts'
import type { YearFigures } from '../../library/counting/year'
import { html, type Markup } from '../../pages/html'
import { formatDay, readerTime } from '../../pages/local-format'
import { matching, oneOf } from '../../values/text'
import type { Visit } from '../../web/visit'
import { defineAct } from '../acts/act-route'
import { actForm } from '../parts/act-form'
import { figuresToShare, periodOf } from './count'

export interface SharedYear {
  readonly name: string
  readonly username: string
  readonly audience: ShareAudience
  /** JSON of `YearFigures`. */
  readonly figures: string
  /** When it was copied, in epoch milliseconds. */
  readonly created_at: number
}

/** If the reader may see it; not of an account that is disabled or being deleted. */
export async function findShare(
  visit: Visit,
  username: string,
  period: string,
): Promise<SharedYear | undefined> {
  const [share] = await shareOf(visit.deps.seen, { key: username.toLowerCase(), period })
  return share
}

/** A copy is as it was, whatever has been deleted since. */
export function figuresOf({ figures }: SharedYear): YearFigures {
  const copy: YearFigures = JSON.parse(figures)
  return copy
}

const shareOf = preparedSql<SharedYear, { key: string; period: string }>(
  (slot) => sql`
  select iif(users.name = '', username, users.name) as name, username, audience, figures, shares.created_at
  from users join shares on shares.user_id = users.id
  where username_key = ${slot('key')} and period = ${slot('period')} and disabled_at is null
    and not exists (select 1 from deletions where deletions.user_id = users.id)`,
)

/** Below the head of one's own year: who sees it, to share it, to share it anew and to stop. */
export function sharing(visit: Visit, period: string, share: SharedYear | undefined): Markup {
  const { t } = visit
  const chosen = share?.audience ?? 'members'
  const option = (audience: ShareAudience) =>
    html`<label class="check"><input type="radio" name="audience" value="${audience}"${audience === chosen ? html` checked` : ''} /><span>${t.year.audiences[audience]}</span></label>`
  const form = actForm(
    visit,
    { act: 'year_share', path: '/year/share', fields: { period }, swap: '.year-sharing', subject: period },
    html`<fieldset><legend>${t.year.whoSees}</legend>${shareAudiences.map(option)}</fieldset><p class="meta">${t.year.leftOut}</p><button data-focus="share">${share === undefined ? t.year.share : t.year.shareAgain}</button>`,
  )
  if (share === undefined)
    return html`<details class="year-sharing"><summary class="button">${t.year.shareDots}</summary><div class="box">${form}</div></details>`
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
    html`<button class="small" data-focus="share">${t.year.stop}</button>`,
  )
  return html`<details class="year-sharing" open><summary class="button">${t.year.sharedAs(day)}</summary><div class="box">${form}${stop}</div></details>`
}

const period = matching('^[0-9]{4}(-(0[1-9]|1[0-2]))?$', (t) => t.form.notOffered)

export const shareRoutes = [
  defineAct({
    path: '/year/share',
    values: { period, audience: oneOf(shareAudiences, (t) => t.form.notOffered) },
    run: async (visit, values) => {
      const { deps, session } = visit
      const figures = await figuresToShare(visit, session.userId, periodOf(visit, values.period))
      return await shareYear(deps, session.userId, { ...values, figures })
    },
  }),
  defineAct({
    path: '/year/unshare',
    values: { period },
    run: ({ deps, session }, values) => unshareYear(deps, session.userId, values),
  }),
]
