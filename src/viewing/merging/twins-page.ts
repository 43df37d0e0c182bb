import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { defineAction, formText } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { administrator, definePage, editor, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, queryText } from '../../web/visit'
import { cover } from '../parts/cover'
import { nextLink } from '../parts/page-links'
import { mediumName } from '../work/facts'

const path = '/catalogue/twins'
const pageSize = 50

/** Works that look like one: to be merged, or not the same. */
export const twinPages: readonly PageRoute[] = [
  definePage({
    path,
    access: editor,
    show: async (visit) => {
      const { t, deps, basePath } = visit
      const page = readIfValid(positiveInteger, queryText(visit, 'page')) ?? 1
      const offset = Math.min(page - 1, 1000) * pageSize
      const found = await twinWorks(deps.read, { offset })
      const pairs = found.slice(0, pageSize)
      const works = await worksOf(visit, pairs)
      const rows = pairs.flatMap(({ work_id, other_id }) => {
        const [one, other] = [works.get(work_id), works.get(other_id)]
        return one === undefined || other === undefined ? [] : [twinRow(visit, one, other)]
      })
      const more =
        found.length > pageSize ? nextLink(`${basePath}${path}?page=${page + 1}`, t.common.next) : ''
      const list =
        rows.length === 0
          ? html`<p class="soft">${t.merging.twinsNone}</p>`
          : html`<ul class="twins">${rows}</ul>${more}`
      return {
        title: t.merging.twins,
        main: html`<h1>${t.merging.twins}</h1><p class="soft">${t.merging.twinsExplained}</p>${list}`,
        place: 'find',
      }
    },
  }),
  defineAction({
    path: `${path}/deny`,
    access: editor,
    run: async (visit, sent) => {
      const { deps, session } = visit
      const [work, other] = ['work_id', 'other_id'].map((name) =>
        readIfValid(positiveInteger, formText(sent, name)),
      )
      if (work === undefined || other === undefined) throw pageNotFound()
      const { numUpdatedRows } = await deps.write((tx) =>
        tx
          .updateTable('twin_works')
          .set({ is_denied: 1, denied_by: session.userId, denied_at: deps.now() })
          .where('work_id', '=', work)
          .where('other_id', '=', other)
          .executeTakeFirst(),
      )
      if (numUpdatedRows === 0n) throw pageNotFound()
      return seeOther(visit, path)
    },
  }),
  // Where it was before editors were.
  definePage({
    path: '/admin/catalogue/twins',
    access: administrator,
    show: (visit) => seeOther(visit, path),
  }),
]

// uses twin_works and the primary key of works
const twinWorks = preparedSql<{ work_id: number; other_id: number }, { offset: number }>(
  (slot) => sql`
    select work_id, other_id from twin_works
    join works as one on one.id = work_id and one.hidden = 0 join works as other on other.id = other_id and other.hidden = 0
    where is_denied = 0 order by max(one.season_rank, other.season_rank) desc, work_id desc, other_id
    limit ${sql.lit(pageSize + 1)} offset ${slot('offset')}`,
)

const worksByIds = preparedSql<TwinWork, { ids: string }>(
  (slot) => sql`
    select id, title, media, season_year, season, watchers_count, episodes_count, (
      select count(*) from records where work_id = works.id) as records,
      (select images.hash from images where images.work_id = works.id and images.user_id is null) as cover_hash
    from works where id in (select value from json_each(${slot('ids')}))`,
)

interface TwinWork {
  readonly id: number
  readonly title: string
  readonly media: 'tv' | 'ova' | 'movie' | 'web' | 'other'
  readonly season_year: number | null
  readonly season: 'winter' | 'spring' | 'summer' | 'autumn' | null
  readonly watchers_count: number
  readonly episodes_count: number
  readonly records: number
  readonly cover_hash: string | null
}

async function worksOf({ deps }: MemberVisit, pairs: readonly { work_id: number; other_id: number }[]) {
  const ids = JSON.stringify(pairs.flatMap(({ work_id, other_id }) => [work_id, other_id]))
  return new Map((await worksByIds(deps.read, { ids })).map((work) => [work.id, work]))
}

/** The one with more watchers stays; if equal, the older row. */
function twinRow(visit: MemberVisit, one: TwinWork, other: TwinWork): Markup {
  const { t, basePath } = visit
  const [stays, goes] = other.watchers_count > one.watchers_count ? [other, one] : [one, other]
  const work = (shown: TwinWork) => {
    const facts = [
      ...(shown.season_year === null ? [] : [String(shown.season_year)]),
      ...[mediumName(visit, shown.media), t.merging.id(shown.id)],
      t.merging.recordsOf(shown.records.toLocaleString(visit.language)),
    ]
    return html`<div class="twin">${cover(visit, shown, 40)}<div class="text"><a href="${basePath}/works/${shown.id}" lang="ja">${shown.title}</a><span class="meta">${facts.join(' · ')}</span></div></div>`
  }
  const names = [stays.title, goes.title] as const
  return html`<li data-twin="${one.id}-${other.id}">${work(stays)}${work(goes)}<div class="buttons"><a class="button small" href="${basePath}/works/${goes.id}/merge?into=${stays.id}" aria-label="${t.merging.compareBoth(...names)}">${t.merging.compare}</a><form method="post" action="${basePath}${path}/deny" data-act="not_twins">${csrfInput(visit)}<input type="hidden" name="work_id" value="${one.id}" /><input type="hidden" name="other_id" value="${other.id}" /><button class="small" aria-label="${t.merging.notTwinsOf(...names)}">${t.merging.notTwins}</button></form></div></li>`
}
