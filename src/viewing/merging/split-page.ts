import { CatalogueChange } from '../../catalogue/edit/change'
import { MergeRefused } from '../../catalogue/edit/merges'
import { beginSplit } from '../../catalogue/edit/split'
import { handleOf } from '../../db/dialect'
import type { RawValues } from '../../http/request-values'
import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { lineUpTo } from '../../values/text'
import { InvalidValue } from '../../values/value'
import { defineAction, formText } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { definePage, editor, type PageRoute, seeOther } from '../../web/page'
import { FormProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { backToWork } from '../editing/head'
import { refuseTooMany } from '../editing/save'
import { changePath } from '../editing/undo-button'
import { episodeName } from '../parts/episode-name'
import { findWork, type ShownWork } from '../work/view'
import { rowNamed } from './merge-page'
import { episodesOfWork } from './preview'
import { goOn, reasonIn, refusalText } from './run'

const path = '/works/:id/split'

/** Some episodes of a work become those of another one (D97). */
export const splitPages: readonly PageRoute[] = [
  definePage({
    path,
    access: editor,
    show: async (visit) => await splitPage(visit, await findWork(visit)),
  }),
  defineAction({
    path,
    access: editor,
    run: async (visit, sent) => {
      const work = await findWork(visit)
      try {
        const change = await split(visit, work, sent)
        await goOn(visit.deps)
        return seeOther(visit, changePath(change))
      } catch (cause) {
        const refused = refusalText(visit, cause)
        if (refused === undefined) throw cause
        const problem = html`<div class="problems" role="alert" tabindex="-1" autofocus>${refused.text}</div>`
        const { status, headers } = refused
        return { ...(await splitPage(visit, work, { sent, problem })), status, headers }
      }
    },
  }),
]

interface SentSplit {
  readonly sent: RawValues
  readonly problem: Markup
}

async function splitPage(visit: MemberVisit, work: ShownWork, again?: SentSplit): Promise<PageContent> {
  const { t, deps, basePath } = visit
  const episodes = await episodesOfWork(deps.read, { work: work.id })
  const text = (name: string) => (again === undefined ? '' : formText(again.sent, name))
  const tick = (one: (typeof episodes)[number]) => {
    const name = episodeName(visit, { number: one.number, number_text: one.text })
    const isTicked = text(`episode_${one.id}`) === '1'
    const records =
      one.records_count === 0 ? '' : t.merging.recordsOf(one.records_count.toLocaleString(visit.language))
    return html`<div class="check" data-episode="${one.id}"><input type="checkbox" id="episode_${one.id}" name="episode_${one.id}" value="1"${isTicked ? html` checked` : ''} /><label for="episode_${one.id}">${name} <span lang="ja">${one.title}</span> <span class="meta">${records}</span></label></div>`
  }
  const field = (name: 'into' | 'title' | 'reason', label: string, hint: string) =>
    html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${text(name)}" maxlength="500" autocomplete="off" />${hint === '' ? '' : html`<p class="hint">${hint}</p>`}</div>`
  const form = html`<form method="post" action="${basePath}/works/${work.id}/split" class="merge-form" data-act="split">${csrfInput(visit)}
    <fieldset class="merge-fields"><legend>${t.merging.splitEpisodes}</legend>${episodes.map(tick)}</fieldset>
    <aside class="box">${again?.problem ?? ''}${field('into', t.merging.splitTo, t.merging.intoHint)}${field('title', t.merging.splitNew, '')}${field('reason', t.editing.reason, '')}<button class="filled wide">${t.merging.splitButton}</button></aside></form>`
  const title = t.merging.splitTitle
  return {
    title: `${title}${t.common.colon}${work.title}`,
    main: html`<h1>${title}</h1><p>${t.merging.splitExplained}</p>${form}`,
    place: 'find',
    back: backToWork(visit, work),
  }
}

async function split(visit: MemberVisit, work: ShownWork, sent: RawValues): Promise<number> {
  const { deps, session } = visit
  const all = await episodesOfWork(deps.read, { work: work.id })
  const named = formText(sent, 'episode_ids')
    .split(',')
    .filter((one) => one !== '')
  const episodes = all.filter(
    ({ id }) => formText(sent, `episode_${id}`) === '1' || named.includes(String(id)),
  )
  if (episodes.length === 0 || episodes.length === all.length)
    throw new FormProblem('episode_ids', (t) => t.merging.splitNone)
  const [into, title] = [formText(sent, 'into').trim(), formText(sent, 'title').trim()]
  const known = into === '' ? undefined : await rowNamed(visit, 'work', into)
  if (into !== '' && known === undefined) throw new FormProblem('into', (t) => t.merging.noSuch)
  const heading = title === '' ? '' : lineUpTo(500).read(title)
  if (heading instanceof InvalidValue) throw new FormProblem('title', heading.rule)
  if (known === undefined && heading === '') throw new FormProblem('into', (t) => t.merging.splitTarget)
  const author = { user: session.userId, reason: reasonIn(sent), now: deps.now() }
  const total = episodes.reduce((sum, { records_count }) => sum + records_count, episodes.length)
  return await deps.write(async (tx) => {
    await refuseTooMany(tx, session.userId, author.now)
    const handle = handleOf(tx)
    const order = { from: work.id, episodes: episodes.map(({ id }) => id), total }
    if (known !== undefined) return beginSplit(handle, { ...order, to: known }, author)
    const change = new CatalogueChange(handle, { kind: 'split', work: work.id, ...author })
    const { media, season_year, season } = work
    const to = change.create('work', { title: heading, media, season_year, season })
    const id = change.save()
    if (id === undefined) throw new MergeRefused('gone')
    return beginSplit(handle, { ...order, to }, author, id)
  })
}
