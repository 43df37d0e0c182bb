import {
  createDestination,
  deleteDestination,
  listDestinations,
  type NewsDestination,
  testDestination,
} from '../../delivery/destinations'
import { destinationKinds, newsKinds } from '../../delivery/message'
import { FetchRefused } from '../../fetching/refused'
import { html, type Markup } from '../../pages/html'
import { moment } from '../../pages/moment'
import { table } from '../../pages/table'
import { FieldProblem } from '../../values/field-problem'
import { checkbox, choice, textField } from '../../web/fields'
import { setFlash } from '../../web/flash'
import { defineAction, defineForm } from '../../web/form'
import { buttonForm } from '../../web/form-markup'
import { member, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId } from '../../web/visit'
import { confirmation, dangerLink } from '../confirmation'
import { secretToCopy, shownOnce } from '../shown-once'

export const destinationsPath = '/settings/notifications'
const path = destinationsPath

export function destinationTable(visit: MemberVisit, all: readonly NewsDestination[]): Markup {
  const { t } = visit
  return table(all, [
    [t.destinations.kind, (one) => html`<strong>${t.destinations.kinds[one.kind]}</strong> ${one.host}`],
    [t.destinations.state, (one) => stateOf(visit, one)],
    [t.destinations.last, ({ last_ok_at }) => moment(visit, last_ok_at, t.common.never)],
    ['', ({ id }) => buttonForm(visit, `${path}/${id}/test`, t.destinations.test, 'small')],
    ['', (one) => dangerLink(visit, `${path}/${one.id}/delete`, t.common.delete, nameOf(visit, one))],
  ])
}

const nameOf = ({ t }: MemberVisit, { kind, host }: NewsDestination) =>
  `${t.destinations.kinds[kind]} ${host}`

function stateOf({ t }: MemberVisit, { is_on, last_status }: NewsDestination): Markup {
  if (is_on === 1) return html`${t.destinations.on}`
  return html`<strong>${t.destinations.off(String(last_status ?? t.destinations.noAnswer))}</strong>`
}

const making = defineForm({
  path: `${path}/new`,
  access: member,
  act: 'destination_create',
  fields: {
    kind: choice({
      label: (t) => t.destinations.kind,
      options: {
        webhook: (t) => t.destinations.kinds.webhook,
        ntfy: (t) => t.destinations.kinds.ntfy,
        gotify: (t) => t.destinations.kinds.gotify,
        discord: (t) => t.destinations.kinds.discord,
      },
    }),
    url: textField({ label: (t) => t.destinations.url, hint: (t) => t.destinations.urlHint, limit: 2000 }),
    token: textField({
      ...{ label: (t) => t.destinations.token, hint: (t) => t.destinations.tokenHint },
      ...{ limit: 500, optional: true },
    }),
    episode: checkbox({ label: (t) => t.destinations.events.episode }),
    notification: checkbox({ label: (t) => t.destinations.events.notification }),
    record: checkbox({ label: (t) => t.destinations.events.record }),
  },
  initial: () => ({ kind: destinationKinds[0], episode: '1' }),
  button: (t) => t.destinations.create,
  once: true,
  show: (visit, form) => {
    const title = visit.t.destinations.add
    return { title, back: { path, name: visit.t.destinations.title }, main: html`<h1>${title}</h1>${form}` }
  },
  submit: async (visit, { kind, url, token, ...chosen }) => {
    const events = newsKinds.filter((one) => chosen[one])
    if (events.length === 0) throw new FieldProblem('usage', 'episode', (t) => t.destinations.noEvent)
    const chosenOne = { kind, url, token, events }
    const { secret } = await createDestination(visit.deps, visit.session.userId, chosenOne).catch(refuseUrl)
    if (secret === null) return seeOther(visit, path)
    const { t, basePath } = visit
    const shown = secretToCopy(t.destinations.copyNow, 'secret', secret)
    return shownOnce(
      t.destinations.createdTitle,
      shown,
      html`<a href="${basePath}${path}">${t.destinations.back}</a>`,
    )
  },
})

function refuseUrl(cause: unknown): never {
  if (!(cause instanceof FetchRefused)) throw cause
  throw new FieldProblem('usage', 'url', (t) => t.destinations.refused(cause.why))
}

const testing = defineAction({
  path: `${path}/:id/test`,
  access: member,
  run: async (visit) => {
    const { outcome } = await testDestination(visit.deps, visit.session.userId, pathId(visit))
    setFlash(visit, outcome === 'sent' ? 'test_arrived' : 'test_failed')
    return seeOther(visit, path)
  },
})

const deleting = defineForm({
  path: `${path}/:id/delete`,
  access: member,
  act: 'destination_delete',
  fields: {},
  button: (t) => t.common.delete,
  isDestructive: true,
  show: async (visit, form) => {
    const id = pathId(visit)
    const all = await listDestinations(visit.deps.read, visit.session.userId)
    const found = all.find((one) => one.id === id)
    if (found === undefined) throw pageNotFound()
    return confirmation(visit, form, {
      title: (t) => t.destinations.deleteTitle(nameOf(visit, found)),
      text: (t) => t.destinations.deleteExplained,
      back: path,
    })
  },
  submit: async (visit) => {
    await deleteDestination(visit.deps, visit.session.userId, pathId(visit))
    return seeOther(visit, path)
  },
})

export const destinationPages: readonly PageRoute[] = [...making, testing, ...deleting]
