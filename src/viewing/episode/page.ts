import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { timeMarkup } from '../../pages/moment'
import { chosenTitle } from '../../pages/title'
import { catalogueReader, definePage } from '../../web/page'
import type { Visit } from '../../web/visit'
import { channelName } from '../parts/channel'
import { cover, workPath } from '../parts/cover'
import { episodeName } from '../parts/episode-name'
import { seasonName } from '../parts/season'
import { broadcastsOf } from '../work/airing'
import { mediumName } from '../work/facts'
import { findWork } from '../work/find-work'
import { ownState } from '../work/own-state'
import { findEpisode } from './find-episode'
import { neighbours } from './neighbours'
import { recordsOfOthers } from './others'
import { ownRecords } from './own-records'
import { recordBox } from './record-box'
import { type EpisodeView, ownRecordsOf } from './view'

/** `number`: as in the catalogue, or `id-2001`. */
export const episodePage = definePage({
  path: '/works/:id/episodes/:number',
  access: catalogueReader,
  show: showEpisode,
})

async function showEpisode(visit: Visit): Promise<PageContent> {
  const view = await episodeView(visit)
  const { work, episode } = view
  const name = episodeName(visit, episode)
  const title = episode.title === '' ? '' : html` <span lang="ja">「${episode.title}」</span>`
  const main = html`<article class="episode-page" id="progress" data-work="${work.id}" data-episode="${episode.id}">
    <div class="about-episode">
      ${backToWork(view)}
      <h1>${name}${title}</h1>
      ${await broadcast(view)}
      ${ownRecords(view)}
      ${await recordBox(view)}
      ${await neighbours(view)}
    </div>
    ${await recordsOfOthers(view)}
  </article>`
  return { title: `${chosenTitle(visit, work).text} ${name}`, main, place: 'find' }
}

async function episodeView(visit: Visit): Promise<EpisodeView> {
  const { read } = visit.deps
  const work = await findWork(visit)
  const episode = await findEpisode(visit, work.id)
  const userId = visit.session?.userId ?? 0
  const { lap } = await ownState(read, userId, work.id)
  const records = await ownRecordsOf(read, { user: userId, episode: episode.id })
  return { visit, work, episode, userId, lap, records }
}

function backToWork({ visit, work, episode }: EpisodeView): Markup {
  const { t } = visit
  const episodesOf = episode.estimated === 1 ? t.work.aboutEpisodesOf : t.work.episodesOf
  const count = work.episodes_count === 0 ? '' : episodesOf(work.episodes_count)
  const { text, lang } = chosenTitle(visit, work)
  const facts = [mediumName(visit, work.media), seasonName(visit, work), count]
  return html`<a class="of-work" href="${workPath(visit, work.id)}">${cover(visit, work, 40)}<span class="text"><b lang="${lang}">${text}</b><small>${facts
    .filter((fact) => fact !== '')
    .join(t.common.dot)}</small></span></a>`
}

async function broadcast({ visit, episode, userId }: EpisodeView): Promise<Markup> {
  const { deps, t } = visit
  const [program] = await broadcastsOf(deps.read, { user: userId, episode: episode.id })
  if (program === undefined) return html``
  const mark =
    program.program_estimated === 1 ? html` <span class="estimated">${t.work.estimated}</span>` : ''
  return html`<p class="meta">${timeMarkup(visit, program.started_at)} · ${channelName(t, program.channel)}${mark}</p>`
}
