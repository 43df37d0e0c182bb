import { sql } from 'kysely'
import type { BroadcastRule } from '../../catalogue/estimate/broadcast-rule'
import type { Read } from '../../db/open'
import { prepared, type SlotOf } from '../../db/prepared'
import { airingOf } from '../../library/progress/airing'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { timeMarkup } from '../../pages/moment'
import { returnTarget } from '../../web/return-to'
import { pastOffer } from '../acts/past'
import { actForm } from '../parts/act-form'
import { channelName } from '../parts/channel'
import { episodeName } from '../parts/episode-name'
import { isOpenList, type MarkedEpisode, nameOf, type ShownWork, type WorkView } from './view'

/** The page's only filled button: records the next episode. */
export async function nextBox(view: WorkView): Promise<Markup> {
  const { visit, progress } = view
  const { t, basePath } = visit
  if (visit.session === undefined)
    return html`<div class="box next-box"><p>${t.work.forMembers}</p><a class="button filled wide" href="${basePath}/sign_in?return_to=${returnTarget(visit)}">${t.signIn.title}</a></div>`
  const next = progress.episodes[progress.nextAt]
  if (next === undefined) return caughtUp(view)
  const offer =
    view.own.kind === 'watched'
      ? await pastOffer({ ...visit, session: visit.session }, view.work.id, {
          swap: '#progress',
          look: 'filled wide',
        })
      : undefined
  return offer === undefined ? await nextEpisode(view, next) : unrecordedPast(view, next, offer)
}

/** Watched, but not all of it is recorded here. */
function unrecordedPast(view: WorkView, next: MarkedEpisode, offer: Markup): Markup {
  const { visit, work, progress } = view
  const { t, basePath } = visit
  const { seenCount, episodes } = progress
  const asked = `/past?works=${work.id}&return_to=/works/${work.id}`
  const recorded = isOpenList(view)
    ? t.work.recordedSome(seenCount)
    : t.work.recordedOf(seenCount, episodes.length)
  return html`<div class="box next-box">
    <h2>${recorded}</h2>
    <div class="acts">${offer}
      <a class="button" href="${basePath}${asked}" data-dialog>${t.past.ask}</a>
      <a class="button quiet" href="${basePath}/record/new?episode=${next.id}&return_to=/works/${work.id}" data-dialog data-keys="R">${t.strip.record(episodeName(visit, next))}</a></div>
  </div>`
}

async function nextEpisode(view: WorkView, next: MarkedEpisode): Promise<Markup> {
  const { visit, work } = view
  const { t, basePath } = visit
  const name = episodeName(visit, next)
  const form = { act: 'record', path: '/record', fields: { once: 1 }, swap: '#progress' }
  const button = html`<button class="filled wide" name="episode_id" value="${next.id}" data-focus="record" aria-label="${t.strip.recordOf(nameOf(view), t.strip.record(name))}">${icon('check')}${t.strip.record(name)}</button>`
  return html`<div class="box next-box">
    <h2>${t.work.next(name)}</h2>
    <p class="meta">${await whenAndWhere(view, next)}</p>
    <div class="acts">${actForm(visit, form, button)}
      <a class="button" href="${basePath}/record/new?episode=${next.id}&return_to=/works/${work.id}" data-dialog data-keys="R">${t.work.sheet}</a></div>
  </div>`
}

async function whenAndWhere(
  { visit, work, userId, progress }: WorkView,
  { id }: MarkedEpisode,
): Promise<Markup> {
  const { deps, t, now } = visit
  const [program] = await broadcastsOf(deps.seen, { user: userId, episode: id })
  const listed = program ?? { started_at: null, program_estimated: null, channel: null }
  const airing = airingOf({ ...work, ...listed, position: progress.nextAt })
  // An estimate from the first broadcast and the interval holds only for some weeks.
  if (airing === undefined || (airing.isEstimated && airing.at < now - year))
    return html`${t.work.unknownTime}`
  const channel = airing.channel === undefined ? '' : html` · ${channelName(t, airing.channel)}`
  const mark = airing.isEstimated ? html` <span class="estimated">${t.work.estimated}</span>` : ''
  return html`${timeMarkup(visit, airing.at)}${channel}${mark}`
}

/** When episodes were first broadcast, by their ids, in epoch milliseconds. */
export async function firstStarts(read: Read, work: number): Promise<ReadonlyMap<number, number>> {
  const rows = await starts(read, { work })
  return new Map(rows.map(({ episode_id, at }) => [episode_id, at]))
}

type Dates = BroadcastRule & Pick<ShownWork, 'season_year' | 'season'>

/** Whether the episode at an index has been broadcast: as listed, otherwise according to the work's dates. */
export function hasAired(
  work: Dates,
  { start, place, now }: { readonly start: number | undefined; readonly place: number; readonly now: number },
): boolean {
  const unlisted = { started_at: null, program_estimated: null, channel: null }
  const at = start ?? airingOf({ ...work, ...unlisted, position: place })?.at
  return (at ?? seasonBegin(work)) <= now
}

function seasonBegin({ season_year, season }: Dates): number {
  return season_year === null ? 0 : Date.UTC(season_year, firstMonths[season ?? 'winter'] ?? 0)
}

const firstMonths: Readonly<Record<string, number>> = { winter: 0, spring: 3, summer: 6, autumn: 9 }

// uses programs_work, which has all columns
const starts = prepared((read, slot: SlotOf<{ work: number }>) =>
  read
    .selectFrom('programs')
    .select([sql<number>`episode_id`.as('episode_id'), sql<number>`min(started_at)`.as('at')])
    .where('work_id', '=', slot('work'))
    .where('hidden', '=', 0)
    .where('episode_id', 'is not', null)
    .groupBy('episode_id'),
)

/** Where and when an episode can be watched: the user's channels first, then by time. */
export const broadcastsOf = prepared((read, slot: SlotOf<{ user: number; episode: number }>) =>
  read
    .selectFrom('programs')
    .innerJoin('channels', 'channels.id', 'programs.channel_id')
    .select(['programs.started_at', 'programs.estimated as program_estimated', 'channels.name as channel'])
    // uses programs_episode
    .where('programs.episode_id', '=', slot('episode'))
    .where('programs.hidden', '=', 0)
    .where('channels.hidden', '=', 0)
    .orderBy(
      sql`exists (select 1 from user_channels where user_channels.user_id = ${slot('user')}
        and user_channels.channel_id = programs.channel_id)`,
      'desc',
    )
    .orderBy('programs.is_rebroadcast')
    .orderBy('programs.started_at')
    .limit(1),
)

const year = 365 * 86_400_000

/** Nothing is left in this lap: offers the next status, more episodes of a list that may grow, or watching again. */
function caughtUp(view: WorkView): Markup {
  const { visit, work, own, progress } = view
  const { t } = visit
  const { isEstimated, seenCount } = progress
  const goesOn = isEstimated && (work.season_year ?? 0) >= new Date(visit.now).getUTCFullYear()
  const done = own.kind === 'watched' || goesOn ? '' : finish(view)
  return html`<div class="box next-box">
    <h2>${isEstimated ? t.work.caughtUp : t.work.finished(seenCount)}</h2>
    <div class="acts">${done}${again(visit, work.id)}</div>
  </div>`
}

function finish(view: WorkView): Markup {
  const { visit, work } = view
  const word = visit.t.statuses.watched
  return actForm(
    visit,
    { act: 'status', path: '/status', fields: { work_id: work.id }, swap: '#progress' },
    html`<button class="outlined" name="kind" value="watched" data-focus="watched-${work.id}" aria-label="${visit.t.statuses.setTo(nameOf(view), word)}">${icon('watched', 16)}${word}</button>`,
  )
}

export const again = (visit: WorkView['visit'], work_id: number): Markup =>
  actForm(
    visit,
    { act: 'new_lap', path: '/laps', fields: { work_id }, swap: '#progress' },
    html`<button data-focus="again">${icon('again', 16)}${visit.t.work.again}</button>`,
  )
