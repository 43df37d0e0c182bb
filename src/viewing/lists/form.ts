import { type RawValues, textOrBlank } from '../../http/request-values'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { longestListName, longestListText, visibilities } from '../../social/lists/write-list'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { definePage, member } from '../../web/page'
import type { FormProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { actForm } from '../parts/act-form'

interface ListForm {
  /** Undefined for a new one. */
  readonly listId?: number | undefined
  readonly name: string
  readonly text: string
  readonly visibility: string
  readonly isOrdered: boolean
  readonly problem?: FormProblem
}

export const newListPage = definePage({
  path: '/lists/new',
  access: member,
  show: async (visit) =>
    formPage(visit, { name: '', text: '', visibility: await profileOf(visit), isOrdered: false }),
})

/** Shows the form again with what was typed and its problem. */
export async function listFormWithProblem(
  visit: MemberVisit,
  problem: FormProblem,
  sent: RawValues,
): Promise<PageContent> {
  const listId = readIfValid(positiveInteger, textOrBlank(sent, 'list_id'))
  const typed = {
    ...{ name: textOrBlank(sent, 'name'), text: textOrBlank(sent, 'text') },
    ...{ visibility: textOrBlank(sent, 'visibility'), isOrdered: textOrBlank(sent, 'is_ordered') === '1' },
  }
  return { ...formPage(visit, { ...typed, listId, problem }), status: problem.status }
}

function formPage(visit: MemberVisit, form: ListForm): PageContent {
  const { t, basePath, session } = visit
  const lists = `/@${session.username}/lists`
  const isNew = form.listId === undefined
  const title = isNew ? t.lists.make : t.lists.edit
  const main = html`<div class="narrow"><a class="back" href="${basePath}${lists}">${icon('back', 16)}${t.lists.title}</a>
    <h1>${title}</h1>${form.problem === undefined ? '' : html`<p class="problems" role="alert">${form.problem.text(t)}</p>`}
    ${listForm(visit, form, isNew ? lists : `${lists}/${form.listId}/edit`)}</div>`
  return { title, main, place: 'library' }
}

/** What a list is called and who sees it. */
export function listForm(visit: MemberVisit, form: ListForm, returnTo: string): Markup {
  const { t } = visit
  const isNew = form.listId === undefined
  const act = isNew
    ? { act: 'list_create', path: '/lists', returnTo }
    : { act: 'list_edit', path: '/lists/edit', fields: { list_id: form.listId ?? 0 }, swap: 'main', returnTo }
  const levels = visibilities.map(
    (level) =>
      html`<option value="${level}"${level === form.visibility ? html` selected` : ''}>${t.lists.visibility[level]}</option>`,
  )
  return actForm(
    visit,
    act,
    html`<div class="field"><label for="list-name">${t.lists.name}</label><input id="list-name" name="name" required maxlength="${longestListName}" value="${form.name}" /></div>
    <div class="field"><label for="list-text">${t.lists.text}</label><textarea id="list-text" name="text" rows="3" maxlength="${longestListText}">${'\n'}${form.text}</textarea></div>
    <div class="field"><label for="list-visibility">${t.lists.whoSees}</label><select id="list-visibility" name="visibility">${levels}</select></div>
    <label class="check"><input type="checkbox" name="is_ordered" value="1"${form.isOrdered ? html` checked` : ''} /> ${t.lists.ordered}</label>
    <div class="buttons"><button${isNew ? html` class="filled"` : ''}>${isNew ? t.lists.make : t.common.save}</button></div>`,
  )
}

/** Who sees the reader's profile, which is the preset (D88). */
async function profileOf({ deps, session }: MemberVisit): Promise<string> {
  const user = await deps.seen
    .selectFrom('users')
    .select('privacy')
    .where('id', '=', session.userId)
    .executeTakeFirstOrThrow()
  return user.privacy
}
