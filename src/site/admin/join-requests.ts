import {
  acceptRequest,
  declineRequest,
  findJoinRequest,
  type JoinRequest,
} from '../../accounts/account/join-request'
import { html, type Markup } from '../../pages/html'
import { moment } from '../../pages/moment'
import { setFlash } from '../../web/flash'
import { defineAction, defineForm } from '../../web/form'
import { buttonForm } from '../../web/form-markup'
import { administrator, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId } from '../../web/visit'
import { confirmation, dangerLink } from '../confirmation'

const listPath = '/admin/users?state=waiting'
const pathOf = (id: number | string, decision: 'accept' | 'decline') =>
  `/admin/join_requests/${id}/${decision}`

/** Those who ask to join (D51), with what they answered. */
export function joinRequestRows(visit: MemberVisit, requests: readonly JoinRequest[]): Markup {
  const { t } = visit
  if (requests.length === 0) return html`<p>${t.joining.none}</p>`
  return html`<ul class="rows join-requests">${requests.map((one) => row(visit, one))}</ul>`
}

function row(visit: MemberVisit, request: JoinRequest): Markup {
  const { t } = visit
  const { id, username, email, email_key, question, answer, created_at } = request
  const proof = email_key === null ? t.joining.notConfirmed : t.joining.confirmed
  return html`<li class="row" data-request="${id}"><div class="text"><b>${username}</b>
      <span class="meta">${email} (${proof}) · ${moment(visit, created_at)}</span>
      <p class="soft">${question}</p><p class="answer" dir="auto">${answer}</p></div>
    <div class="buttons">${buttonForm(visit, pathOf(id, 'accept'), t.joining.accept)}
      ${dangerLink(visit, pathOf(id, 'decline'), t.joining.decline, username)}</div></li>`
}

export const joinRequests: readonly PageRoute[] = [
  defineAction({
    path: pathOf(':id', 'accept'),
    access: administrator,
    run: async (visit) => {
      const { deps, context, session } = visit
      const user = await acceptRequest(deps, pathId(visit))
      if (user === undefined) throw pageNotFound()
      deps.log('join_accepted', { id: context.id, user, by: session.userId })
      setFlash(visit, 'saved')
      return seeOther(visit, listPath)
    },
  }),
  ...defineForm({
    path: pathOf(':id', 'decline'),
    access: administrator,
    fields: {},
    button: (t) => t.joining.declineButton,
    isDestructive: true,
    show: async (visit, form) => {
      const request = await findJoinRequest(visit.deps.read, pathId(visit))
      if (request === undefined) throw pageNotFound()
      return confirmation(visit, form, {
        title: (t) => t.joining.declineTitle(request.username),
        text: (t) => t.joining.declineExplained,
        back: listPath,
      })
    },
    submit: async (visit) => {
      const { deps, context, session } = visit
      const id = pathId(visit)
      if (!(await declineRequest(deps, id))) throw pageNotFound()
      deps.log('join_declined', { id: context.id, request: id, by: session.userId })
      return seeOther(visit, listPath)
    },
  }),
]
