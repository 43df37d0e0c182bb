import { sql } from 'kysely'
import { type CoveredWork, coverColumnsSql } from '../../catalogue/cover-path'
import { survivor } from '../../catalogue/survivors'
import { preparedSql } from '../../db/prepared'
import { type Progress, progressOf } from '../../library/progress/progress'
import { html, type Markup } from '../../pages/html'
import { type Titles, titleMarkup } from '../../pages/title'
import { idList } from '../../values/list'
import { readIfValid } from '../../values/value'
import { definePage, member } from '../../web/page'
import { safeReturn } from '../../web/return-to'
import { type MemberVisit, queryText } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { cover, workPath } from '../parts/cover'

/** At most 100: what one act takes. */
const most = 100

/** What was watched long ago: which of these works, and when (D89). `works`: ids; `return_to`: where they are listed. */
export const pastPage = definePage({
  path: '/past',
  access: member,
  show: async (visit) => {
    const { deps, session, t, basePath, now } = visit
    const ids = (readIfValid(idList, queryText(visit, 'works')) ?? []).slice(0, most)
    const works = await worksToRecord(deps.seen, { user: session.userId, works: JSON.stringify(ids) })
    const asked = { userId: session.userId, workIds: works.map(({ id }) => id), now }
    const progress = await progressOf(deps.seen, asked)
    const rows = works.map((work) => workRow(visit, work, progress.get(work.id)))
    const back = safeReturn(queryText(visit, 'return_to'), deps.config.baseUrl)
    const body = html`${when(visit)}<ul class="rows past">${rows}</ul><p class="hint">${t.past.hint}</p>
      <div class="buttons"><button class="filled">${t.past.record}</button><a class="button" href="${basePath}${back}">${t.common.cancel}</a></div>`
    const form = actForm(visit, { act: 'past', path: '/past', returnTo: back, swap: 'main' }, body)
    const main = html`<h1>${t.past.title}</h1>
      <div class="past-choice">${rows.length === 0 ? html`<p class="nothing">${t.library.nothing}</p>` : form}</div>`
    return { title: t.past.title, main, place: 'library' }
  },
})

function when({ t }: MemberVisit): Markup {
  const chip = (value: string, label: string) =>
    html`<label class="chip"><input type="radio" name="when" value="${value}"${value === 'unknown' ? html` checked` : ''} /><span>${label}</span></label>`
  return html`<fieldset class="chips when"><legend>${t.past.when}</legend>
      ${chip('unknown', t.sheet.unknown)}${chip('aired', t.past.aired)}${chip('year', t.past.year)}${chip('date', t.sheet.date)}
      <div class="date">
        <input type="text" name="watched_at" value="" inputmode="numeric" autocomplete="off" aria-label="${t.sheet.date}" aria-describedby="date-hint" placeholder="2019" />
        <p class="hint" id="date-hint">${t.sheet.dateHint}</p>
      </div>
    </fieldset>`
}

/** Ticked if there is anything to record. */
function workRow(visit: MemberVisit, work: PastChoice, progress: Progress | undefined): Markup {
  const { t } = visit
  const isFilm = work.no_episodes === 1
  const isOpen = isFilm ? work.viewings === 0 : (progress?.unseen ?? 0) > 0
  const size = isFilm ? t.media.movie : t.past.episodes(progress?.known ?? 0)
  const recorded = isFilm ? '' : t.past.recorded(progress?.watched ?? 0)
  return html`<li class="row" data-work="${work.id}"><label class="check"><input type="checkbox" name="work_${work.id}"${isOpen ? html` checked` : ''} /><span class="unseen">${t.past.title}</span></label>${cover(visit, work, 40)}
    <span class="text"><a href="${workPath(visit, work.id)}">${titleMarkup(visit, work)}</a><small class="soft">${size}</small></span><span class="soft">${recorded}</span></li>`
}

interface PastChoice extends CoveredWork, Titles {
  readonly no_episodes: number
  readonly viewings: number
}

/** In the order in which they were asked for. Uses reviews_user_work. */
const worksToRecord = preparedSql<PastChoice, { user: number; works: string }>(
  (slot) => sql<PastChoice>`
    select works.id, title, title_en, title_ro, no_episodes, ${coverColumnsSql(slot('user'))}, (
      select count(*) from reviews
      where user_id = ${slot('user')} and reviews.work_id = works.id and watched_at is not null) as viewings
    from json_each(${slot('works')}) as one
    join works on works.id = ${survivor('works', sql<number>`one.value`)}
    where works.hidden = 0 group by works.id order by min(one.key)`,
)
