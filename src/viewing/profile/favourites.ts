import { sql } from 'kysely'
import { type CoveredWork, coverColumns } from '../../catalogue/cover-path'
import { prepared, type SlotOf } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import { type IconName, icon } from '../../pages/icons'
import type { Titles } from '../../pages/title'
import {
  addFavoriteWork,
  dropFavoriteWork,
  FavoritesFull,
  moveFavoriteWork,
} from '../../social/favorite-works'
import { oneOf } from '../../values/text'
import type { PageRoute } from '../../web/page'
import type { Visit } from '../../web/visit'
import { ActRefused, defineAct, id } from '../acts/act-route'
import { actForm } from '../parts/act-form'
import { cardTitle, cover, workPath } from '../parts/cover'
import { isOwn, readerOf, type ShownUser } from '../parts/find-user'

/** Works in their order, which their owner changes here; then characters, people and organizations, newest first. */
export async function favourites(visit: Visit, user: ShownUser): Promise<Markup | ''> {
  const { deps, t } = visit
  const works = await worksOf(deps.seen, { user: user.id, reader: readerOf(visit) })
  const others = await othersOf(deps.seen, { user: user.id })
  // The place of the last one, for the script.
  if (works.length + others.length === 0) return isOwn(visit, user) ? html`<div id="favourites"></div>` : ''
  const cards = works.map((work, at) => {
    const acts = isOwn(visit, user) ? favouriteActs(visit, work, { at, of: works.length }) : ''
    return html`<li data-work="${work.id}"><a class="card" href="${workPath(visit, work.id)}">${cover(visit, work, 132)}<span class="name" lang="${cardTitle(visit, work).lang}">${cardTitle(visit, work).lines}</span></a>${acts}</li>`
  })
  const grid = works.length === 0 ? '' : html`<ul class="cards favourite-works">${cards}</ul>`
  const chips =
    others.length === 0 ? '' : html`<ul class="favourites">${others.map((other) => chip(visit, other))}</ul>`
  return html`<section id="favourites"><h2>${t.profilePage.favourites}</h2>${grid}${chips}</section>`
}

type OtherFavourite = Awaited<ReturnType<typeof othersOf>>[number]

const chip = ({ preferences }: Visit, { name, name_en }: OtherFavourite): Markup =>
  preferences.titleLanguage === 'native' || name_en === ''
    ? html`<li class="chip" lang="ja">${name}</li>`
    : html`<li class="chip" lang="en">${name_en}</li>`

interface FavouriteWork extends Titles, CoveredWork {}

/** The first does not go further forward, nor the last further back. */
function favouriteActs(
  visit: Visit,
  work: FavouriteWork,
  { at, of }: { readonly at: number; readonly of: number },
): Markup {
  const { t } = visit
  const { text } = cardTitle(visit, work)
  const fields = { work_id: work.id }
  const swap = '#favourites'
  const button = (to: 'earlier' | 'later', draw: IconName, name: string) =>
    html`<button class="quiet small" name="to" value="${to}" data-focus="${to}-${work.id}" aria-label="${name}">${icon(draw, 16)}</button>`
  const moves = html`${at === 0 ? '' : button('earlier', 'back', t.profilePage.earlier(text))}${at === of - 1 ? '' : button('later', 'next', t.profilePage.later(text))}`
  const move =
    of === 1 ? '' : actForm(visit, { act: 'move_favorite', path: '/favorite/move', fields, swap }, moves)
  const drop = html`<button class="quiet small" data-focus="favourite-${work.id}" aria-label="${t.profilePage.unfavourite(text)}">${icon('star', 16)}</button>`
  return html`<div class="buttons">${move}${actForm(visit, { act: 'unfavorite', path: '/unfavorite', fields, swap }, drop)}</div>`
}

/** ★ on a work's page: pressed if it is a favourite. */
export function favouriteButton(
  visit: Visit,
  {
    id: work_id,
    title,
    isFavourite,
  }: { readonly id: number; readonly title: string; readonly isFavourite: boolean },
): Markup {
  const act = isFavourite ? 'unfavorite' : 'favorite'
  const path = isFavourite ? '/unfavorite' : '/favorite'
  const form = { act, path, fields: { work_id }, swap: '#progress' }
  const name = visit.t.profilePage.favouriteWork(title)
  return actForm(
    visit,
    form,
    html`<button class="small favourite" aria-pressed="${String(isFavourite)}" data-focus="favourite-${work_id}" aria-label="${name}" title="${visit.t.profilePage.favourites}">${icon('star')}</button>`,
  )
}

export const favouriteRoutes: readonly PageRoute[] = [
  defineAct({
    path: '/favorite',
    values: { work_id: id },
    run: ({ deps, session }, { work_id }) =>
      addFavoriteWork(deps, session.userId, { workId: work_id }).catch((cause: unknown) => {
        throw cause instanceof FavoritesFull ? new ActRefused('favourites_full') : cause
      }),
  }),
  defineAct({
    path: '/unfavorite',
    values: { work_id: id },
    run: ({ deps, session }, { work_id }) => dropFavoriteWork(deps, session.userId, { workId: work_id }),
  }),
  defineAct({
    path: '/favorite/move',
    values: { work_id: id, to: oneOf(['earlier', 'later']) },
    run: ({ deps, session }, { work_id, to }) =>
      moveFavoriteWork(deps, session.userId, { workId: work_id, to }),
  }),
]

/** Uses favorites_user. */
const worksOf = prepared((read, slot: SlotOf<{ user: number; reader: number }>) =>
  read
    .selectFrom('favorites')
    .innerJoin('works', 'works.id', 'favorites.work_id')
    .select(['works.id', 'works.title', 'works.title_en', 'works.title_ro'])
    .select(coverColumns(slot('reader')))
    .where('favorites.user_id', '=', slot('user'))
    .where('works.hidden', '=', 0)
    .orderBy('favorites.position')
    .orderBy('favorites.id'),
)

/** Visible characters, people and organizations. Uses favorites_user. */
const othersOf = prepared((read, slot: SlotOf<{ user: number }>) =>
  read
    .selectFrom('favorites')
    .leftJoin('characters', 'characters.id', 'character_id')
    .leftJoin('people', 'people.id', 'person_id')
    .leftJoin('organizations', 'organizations.id', 'organization_id')
    .select(sql<string>`coalesce(characters.name, people.name, organizations.name)`.as('name'))
    .select(sql<string>`coalesce(characters.name_en, people.name_en, organizations.name_en)`.as('name_en'))
    .where('favorites.user_id', '=', slot('user'))
    .where(sql<boolean>`coalesce(characters.hidden, people.hidden, organizations.hidden) = 0`)
    .orderBy('favorites.id', 'desc')
    .limit(24),
)
