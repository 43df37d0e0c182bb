import { sql } from 'kysely'
import { type CoveredWork, coverColumnsSql } from '../../catalogue/cover-path'
import { survivor } from '../../catalogue/survivors'
import { preparedSql } from '../../db/prepared'
import { type Progress, progressOf } from '../../library/progress/progress'
import { pageScript } from '../../pages/assets'
import { html, type Markup } from '../../pages/html'
import { type Titles, titleMarkup } from '../../pages/title'
import { idList } from '../../values/list'
import { readIfValid } from '../../values/value'
import { definePage, member } from '../../web/page'
import { returnTarget, safeReturn } from '../../web/return-to'
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
    const open = works.map((work) => openIn(work, progress.get(work.id)))
    const body = html`${when(visit)}<ul class="rows past">${rows}</ul><p class="hint">${t.past.hint}</p>
      <div class="buttons">${recordButton(visit, open)}<a class="button" href="${basePath}${back}">${t.common.cancel}</a></div>`
    const form = actForm(visit, { act: 'past', path: '/past', returnTo: back, swap: 'main' }, body)
    const main = html`<h1>${t.past.title}</h1>
      <div class="past-choice">${rows.length === 0 ? html`<p class="nothing">${t.library.nothing}</p>` : form}</div>`
    return { title: t.past.title, main, place: 'library', head: pageScript(visit, 'strip.js') }
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

/** What would be recorded of a work. */
interface OpenPast {
  readonly episodes: number
  readonly isOpen: boolean
}

function openIn(work: PastChoice, progress: Progress | undefined): OpenPast {
  if (work.no_episodes === 1) return { episodes: 0, isOpen: work.viewings === 0 }
  const episodes = progress?.unseen ?? 0
  return { episodes, isOpen: episodes > 0 }
}

/** The script counts anew what is ticked: `data-sum`. */
function recordButton({ t }: MemberVisit, open: readonly OpenPast[]): Markup {
  const ticked = open.filter(({ isOpen }) => isOpen)
  const sums = { works: ticked.length, episodes: ticked.reduce((sum, { episodes }) => sum + episodes, 0) }
  const sum = (name: keyof typeof sums) => html`<span data-sum="${name}">${sums[name]}</span>`
  const parts = t.past.record
    .split(/\{(works|episodes)\}/)
    .map((part) => (part === 'works' || part === 'episodes' ? sum(part) : html`${part}`))
  return html`<button class="filled">${parts}</button>`
}

/** Ticked if there is anything to record. */
function workRow(visit: MemberVisit, work: PastChoice, progress: Progress | undefined): Markup {
  const { t } = visit
  const isFilm = work.no_episodes === 1
  const { isOpen, episodes } = openIn(work, progress)
  const size = isFilm ? t.media.movie : t.past.episodes(progress?.known ?? 0)
  const recorded = isFilm ? '' : t.past.recorded(progress?.watched ?? 0)
  return html`<li class="row" data-work="${work.id}"><label class="check"><input type="checkbox" name="work_${work.id}"${isOpen ? html` checked` : ''} data-works="1" data-episodes="${episodes}" /><span class="unseen">${t.past.title}</span></label>${cover(visit, work, 40)}
    <span class="text"><a href="${workPath(visit, work.id)}">${titleMarkup(visit, work)}</a><small class="soft">${size}</small></span><span class="soft">${recorded}</span></li>`
}

interface PastChoice extends CoveredWork, Titles {
  readonly no_episodes: number
  readonly viewings: number
}

/** On one's own shelf of what was watched: how many works have nothing recorded, and the choice of when that was. */
export async function unrecordedNote(visit: MemberVisit): Promise<Markup> {
  const { deps, session, t, basePath } = visit
  const works = await unrecorded(deps.seen, { user: session.userId })
  if (works.length === 0) return html``
  const ids = works.slice(0, most).map(({ id }) => id)
  return html`<p class="meta past-note">${t.past.unrecorded(works.length)} <a href="${basePath}/past?works=${ids.join(',')}&return_to=${returnTarget(visit)}">${t.past.ask}</a></p>`
}

/** The last ones set first. Uses statuses_user_kind and records_user_work. */
const unrecorded = preparedSql<{ id: number }, { user: number }>(
  (slot) => sql`
    select works.id from statuses join works on works.id = statuses.work_id
    where statuses.user_id = ${slot('user')} and statuses.kind = 'watched' and works.hidden = 0
      and works.no_episodes = 0 and works.episodes_count > 0
      and not exists (select 1 from records where records.user_id = ${slot('user')} and records.work_id = works.id)
    order by statuses.changed_at desc, works.id`,
)

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
