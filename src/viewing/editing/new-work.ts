import { sql } from 'kysely'
import { editingRight } from '../../accounts/editing-right'
import { coverColumns } from '../../catalogue/cover-path'
import { CatalogueChange } from '../../catalogue/edit/change'
import { findRows } from '../../catalogue/search/find'
import { idIn } from '../../catalogue/search/ways/by-address'
import { titleText } from '../../catalogue/title-key'
import { handleOf } from '../../db/dialect'
import { prepared, preparedSql, type SlotOf } from '../../db/prepared'
import { type RawValues, textOrBlank } from '../../http/request-values'
import type { StatusKind } from '../../library/statuses'
import type { Message } from '../../messages/languages'
import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { chosenTitle, titleMarkup } from '../../pages/title'
import { InvalidValue } from '../../values/value'
import { setFlash } from '../../web/flash'
import { defineAction } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { definePage, type PageRoute, seeOther } from '../../web/page'
import { type MemberVisit, queryText, type Visit } from '../../web/visit'
import { cover, workPath } from '../parts/cover'
import { seasonName } from '../parts/season'
import { statusMenu } from '../parts/status'
import { type EditField, fieldsOf } from './fields'
import { editorsOnly, refuseTooMany } from './save'

const path = '/works/new'
const mostNear = 5

const names = ['title', 'media', 'season_year', 'season'] as const
const fields: readonly EditField[] = fieldsOf('work').filter(({ name }) => names.some((one) => one === name))

type Typed = Readonly<Record<string, string>>

/** A work that the catalogue lacks: what it is called and its medium; the rest may follow (`/works/ID/edit`). */
export const newWork: readonly PageRoute[] = [
  definePage({
    path,
    access: editorsOnly,
    show: async (visit) => {
      const text = queryText(visit, 'q').trim()
      const typed = idIn(text) === undefined ? { title: text } : { address: text }
      return await page(visit, typed, { near: await near(visit, text) })
    },
  }),
  defineAction({
    path,
    access: editorsOnly,
    run: async (visit, sent) => {
      const typed = typedIn(sent)
      const { values, problems, named } = readTyped(typed)
      const found = await near(visit, typed.title ?? '')
      if (Object.keys(problems).length > 0)
        return { ...(await page(visit, typed, { near: found, problems })), status: 422 }
      const taken = named === undefined ? [] : await worksNamed(visit.deps.read, named)
      const same = found.filter((work) => isSame(work, typed))
      if (typed.is_new !== '1' && taken.length + same.length > 0) {
        const known = [
          ...(await worksOf(
            visit,
            taken.map(({ id }) => id),
          )),
          ...found,
        ]
        const alike = { '': (t) => t.editing.mayBeThere } satisfies Record<string, Message>
        return { ...(await page(visit, typed, { near: known, problems: alike, asks: true })), status: 409 }
      }
      const { id, change } = await create(visit, values, named)
      setFlash(visit, 'edited', change)
      return seeOther(visit, `/works/${id}`)
    },
  }),
]

/** For where a search found nothing; undefined for who may not add works. */
export function newWorkLink(visit: Visit, text: string): Markup | undefined {
  const right = editingRight(visit.deps.config, visit.session)
  if (right !== 'decide' && right !== 'edit') return undefined
  return html`<a class="button" href="${visit.basePath}${path}?q=${encodeURIComponent(text)}">${visit.t.editing.newWork}</a>`
}

const typedIn = (sent: RawValues): Typed =>
  Object.fromEntries([...names, 'address', 'is_new'].map((name) => [name, textOrBlank(sent, name)]))

function readTyped(typed: Typed) {
  const values: Record<string, string | number | null> = {}
  const problems: Record<string, Message> = {}
  for (const { name, field, read } of fields) {
    const value = read(typed[name] ?? '')
    if (value instanceof InvalidValue) problems[name] = value.rule
    else if (typeof value !== 'object' || value === null) values[field] = value
  }
  if (values.season !== null && values.season_year === null)
    problems.season_year = (t) => t.editing.seasonNeedsYear
  const address = (typed.address ?? '').trim()
  const found = idIn(address)
  const named = found !== undefined && known.includes(found.ns) ? found : undefined
  if (address !== '' && named === undefined) problems.address = (t) => t.editing.addressUnknown
  return { values, problems, named }
}

const known: readonly string[] = ['annict', 'mal', 'anilist', 'anidb', 'syobocal', 'bangumi']

async function create(
  { deps, session }: MemberVisit,
  values: Readonly<Record<string, string | number | null>>,
  named: { readonly ns: string; readonly id: string } | undefined,
) {
  return await deps.write(async (tx) => {
    await refuseTooMany(tx, session.userId, deps.now())
    const about = { kind: 'create', work: 0, user: session.userId, now: deps.now() } as const
    const columns: Readonly<Record<string, string>> = { mal: 'mal_anime_id', syobocal: 'syobocal_tid' }
    const id = named === undefined ? {} : { [columns[named.ns] ?? `ids.${named.ns}`]: named.id }
    const change = new CatalogueChange(handleOf(tx), about)
    // Annict's number, if it is free (D3).
    const work = change.create(
      'work',
      { ...values, ...id },
      named?.ns === 'annict' ? Number(named.id) : undefined,
    )
    return { id: work, change: change.save() }
  })
}

const worksNamed = preparedSql<{ id: number }, { ns: string; id: string }>(
  (slot) => sql`
    select local_id as id from external_ids where kind = 'work' and ns = ${slot('ns')} and external_id = ${slot('id')}`,
)

type NearWork = Awaited<ReturnType<typeof shownWorks>>[number]

/** Of the same title, however it is written, in a year beside it. */
const isSame = (work: NearWork, { title = '', season_year = '' }: Typed): boolean =>
  [work.title, work.title_en, work.title_ro].some(
    (one) => one !== '' && titleText(one) === titleText(title),
  ) &&
  (season_year === '' || work.season_year === null || Math.abs(work.season_year - Number(season_year)) <= 1)

async function near(visit: MemberVisit, text: string): Promise<readonly NearWork[]> {
  if (text === '') return []
  return await worksOf(visit, (await findRows(visit.deps.read, 'works', text)).slice(0, mostNear))
}

async function worksOf({ deps, session }: MemberVisit, ids: readonly number[]): Promise<readonly NearWork[]> {
  return ids.length === 0
    ? []
    : await shownWorks(deps.seen, { user: session.userId, ids: JSON.stringify(ids) })
}

const shownWorks = prepared((read, slot: SlotOf<{ user: number; ids: string }>) =>
  read
    .selectFrom('works')
    .select(['id', 'title', 'title_en', 'title_ro', 'media', 'season_year', 'season'])
    .select(coverColumns(slot('user')))
    .select(
      sql<StatusKind | null>`(
      select kind from statuses where user_id = ${slot('user')} and work_id = works.id)`.as('kind'),
    )
    .where(sql<boolean>`id in (select value from json_each(${slot('ids')}))`)
    .where('hidden', '=', 0),
)

interface NewWorkPage {
  readonly near: readonly NearWork[]
  readonly problems?: Readonly<Record<string, Message>>
  /** Whether it is another work than those. */
  readonly asks?: boolean
}

async function page(
  visit: MemberVisit,
  typed: Typed,
  { near, problems = {}, asks = false }: NewWorkPage,
): Promise<PageContent> {
  const { t, basePath } = visit
  const wrong = Object.entries(problems).map(([name, text]) => {
    const label = name === 'address' ? t.editing.address : fields.find((one) => one.name === name)?.label(t)
    return html`<li>${label === undefined ? '' : html`<a href="#${name}">${label}</a>${t.common.colon}`}${text(t)}</li>`
  })
  const box =
    wrong.length === 0
      ? ''
      : html`<div class="problems" role="alert" tabindex="-1" autofocus><ul>${wrong}</ul></div>`
  const inputs = fields.map((field) => newField(visit, field, typed[field.name] ?? ''))
  const tick = asks
    ? html`<p class="check"><input type="checkbox" id="is_new" name="is_new" value="1" /><label for="is_new">${t.editing.isNew}</label></p>`
    : ''
  const main = html`<div class="narrow"><h1>${t.editing.newWork}</h1>${box}
    <form method="post" action="${basePath}${path}" data-act="new_work" novalidate>${csrfInput(visit)}<div class="field"><label for="address">${t.editing.address} <small>${t.editing.optional}</small></label><input id="address" name="address" value="${typed.address ?? ''}" placeholder="https://" inputmode="url" autocomplete="off" /><p class="hint">${t.editing.addressHint}</p></div>${inputs}${tick}<button class="filled">${t.editing.add}</button></form>
    ${near.length === 0 ? '' : html`<h2>${t.editing.nearWorks}</h2><ul class="rows">${near.map((work) => nearRow(visit, work))}</ul>`}</div>`
  return { title: t.editing.newWork, main, place: 'find' }
}

function newField({ t }: MemberVisit, { name, label, choices }: EditField, text: string): Markup {
  const options = Object.entries(choices?.(t) ?? {}).map(
    ([value, words]) =>
      html`<option value="${value}"${value === text ? html` selected` : ''}>${words}</option>`,
  )
  const control =
    choices === undefined
      ? html`<input id="${name}" name="${name}" value="${text}" autocomplete="off" />`
      : html`<select id="${name}" name="${name}">${options}</select>`
  return html`<div class="field"><label for="${name}">${label(t)}</label>${control}</div>`
}

const nearRow = (visit: MemberVisit, work: NearWork): Markup =>
  html`<li class="row" data-work="${work.id}">${cover(visit, work, 32)}<div class="text"><a class="work" href="${workPath(visit, work.id)}">${titleMarkup(visit, work)}</a><p class="meta">${seasonName(visit, work)}</p></div>${statusMenu(visit, { workId: work.id, title: chosenTitle(visit, work).text, kind: work.kind ?? undefined })}</li>`
