import { PasskeyRefused } from '../../accounts/passkeys/challenge'
import {
  addPasskey,
  type ListedPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from '../../accounts/passkeys/passkeys'
import type { RelyingParty } from '../../accounts/passkeys/relying-party'
import { turnOnPasskeyStep } from '../../accounts/sign-in/second-factor'
import type { RawValues } from '../../http/request-values'
import type { Message } from '../../messages/languages'
import { html, type Markup } from '../../pages/html'
import { type IconName, icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { moment } from '../../pages/moment'
import { defineAction, defineForm, formText, orShownAgain } from '../../web/form'
import { csrfInput, problemSummary } from '../../web/form-markup'
import { definePage, type PageRoute, recent, seeOther } from '../../web/page'
import { FormProblem, pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId, type Visit } from '../../web/visit'
import { confirmation } from '../confirmation'
import { acceptedKeys, creationOptions, partyAt, passkeyForm, passkeyScript } from '../sign-in/passkey-form'
import { otherWaysIn } from './other-ways-in'
import { browserName } from './sessions'
import { recoveryCodesPage } from './two-step/two-step-codes'

const path = '/settings/passkeys'

export const passkeys: readonly PageRoute[] = [
  definePage({ path, access: recent, show: (visit) => passkeysPage(visit) }),
  defineAction({
    path,
    access: recent,
    run: (visit, sent) =>
      orShownAgain(
        () => add(visit, sent),
        ({ text }) => passkeysPage(visit, text),
      ),
  }),
  defineAction({
    path: `${path}/:id/rename`,
    access: recent,
    run: (visit, sent) =>
      orShownAgain(
        async () => {
          const { deps, session } = visit
          const renamed = { userId: session.userId, id: pathId(visit), name: formText(sent, 'name').trim() }
          if (!(await renamePasskey(deps, renamed))) throw pageNotFound()
          return seeOther(visit, path)
        },
        ({ text }) => passkeysPage(visit, text),
      ),
  }),
  ...defineForm({
    path: `${path}/:id/remove`,
    access: recent,
    fields: {},
    button: (t) => t.passkeys.remove,
    isDestructive: true,
    act: 'remove-passkey',
    show: async (visit, form) => {
      const { name } = await ownPasskey(visit)
      return confirmation(visit, form, {
        title: (t) => t.passkeys.removeTitle(name),
        text: (t) => t.passkeys.removeExplained,
        back: path,
      })
    },
    submit: async (visit) => {
      const { deps, session, context, language } = visit
      const [id, { userId, id: sessionId }] = [pathId(visit), session]
      if (!(await removePasskey(deps, { userId, id, sessionId, language }))) throw pageNotFound()
      deps.log('passkey_removed', { id: context.id, user: userId, passkey: id })
      return seeOther(visit, path)
    },
  }),
]

async function ownPasskey(visit: MemberVisit): Promise<ListedPasskey> {
  const all = await listPasskeys(visit.deps.read, visit.session.userId)
  const own = all.find(({ id }) => id === pathId(visit))
  if (own === undefined) throw pageNotFound()
  return own
}

/** As second step: the first method of an account comes with recovery codes. */
async function add(visit: MemberVisit, sent: RawValues): Promise<PageContent | Response> {
  const { deps, session, context, request, t, language, cookie = '' } = visit
  const { userId } = session
  const party = partyAt(visit)
  if (party === undefined) throw pageNotFound()
  const text = formText(sent, 'credential')
  const handle = Uint8Array.from(Buffer.from(formText(sent, 'handle'), 'base64url'))
  const id = await (async () => {
    const { readRegistration } = await import('../../accounts/passkeys/credential')
    const expected = { party, purpose: 'add', cookie, at: deps.now(), needsVerification: false } as const
    const credential = readRegistration(text, expected)
    const name = browserName(request.headers.get('user-agent') ?? '', t).slice(0, 50)
    return await addPasskey(deps, { userId, credential, handle, rpId: party.id, name, language })
  })().catch((cause: unknown) => {
    if (!(cause instanceof PasskeyRefused)) throw cause
    deps.log('passkey_refused', { id: context.id, purpose: 'add', why: cause.why, user: userId })
    throw notAdded()
  })
  deps.log('passkey_added', { id: context.id, user: userId, passkey: id })
  if (formText(sent, 'second_step') === '') return seeOther(visit, path)
  return await asSecondStep(visit)
}

/** Turns it on; shows recovery codes if it is the first method. */
export async function asSecondStep(visit: MemberVisit): Promise<PageContent | Response> {
  const { deps, session, context } = visit
  const codes = await turnOnPasskeyStep(deps, session.userId)
  deps.log('two_step_on', { id: context.id, outcome: 'ok', way: 'passkey', user: session.userId })
  if (codes === undefined) return seeOther(visit, '/settings/two_step')
  return recoveryCodesPage(visit, codes, '/settings/two_step')
}

async function passkeysPage(visit: MemberVisit, problem?: Message): Promise<PageContent> {
  const { deps, session, t } = visit
  const party = partyAt(visit)
  const all = await listPasskeys(deps.read, session.userId)
  const adding = party === undefined ? unavailable(visit) : await addForm(visit, party, all)
  return {
    title: t.passkeys.title,
    head: passkeyScript(visit),
    main: html`
      <h1>${t.passkeys.title}</h1>
      <p class="meta">${t.passkeys.explained}</p>
      ${problem === undefined ? '' : problemSummary(visit, problem)}
      ${all.length === 0 ? '' : html`<ul class="rows passkeys">${all.map((one) => passkeyRow(visit, one, party))}</ul>`}
      ${adding}
      ${await otherWaysIn(visit, all.length > 0)}`,
  }
}

async function addForm(visit: MemberVisit, party: RelyingParty, all: readonly ListedPasskey[]) {
  const { options, handle } = await creationOptions(visit, party, all)
  const form = passkeyForm(visit, {
    path,
    act: 'add-passkey',
    options,
    button: (t) => t.passkeys.add,
    kind: 'filled',
    drawing: 'plus',
    fields: { handle },
  })
  return html`${form}${await acceptedKeys(visit, party, all)}`
}

function passkeyRow(visit: MemberVisit, passkey: ListedPasskey, party: RelyingParty | undefined): Markup {
  const { t, basePath } = visit
  const { id, name, rp_id, is_backed_up, is_verified } = passkey
  const mark = (words: string) => html` <span class="pass-mark">${words}</span>`
  const isHere = party === undefined || rp_id === party.id
  return html`<li class="row" data-passkey="${id}">
    <span class="device">${icon(drawingOf(passkey))}</span>
    <div class="text">
      <b>${name}</b>${is_backed_up === 1 ? mark(t.passkeys.onSeveral) : ''}${is_verified === 0 ? mark(t.passkeys.stepOnly) : ''}
      <span class="meta">${isHere ? times(visit, passkey) : t.passkeys.madeFor(rp_id)}</span>
    </div>
    <details class="rename"><summary class="button quiet small">${icon('pen', 16)} <span>${t.passkeys.name}</span></summary>
      <form method="post" action="${basePath}${path}/${id}/rename">
        ${csrfInput(visit)}
        <input type="text" name="name" value="${name}" maxlength="50" required aria-label="${t.passkeys.nameOf(name)}" autocomplete="off" />
        <button class="small">${t.passkeys.saveName}</button>
      </form>
    </details>
    <a class="button small" href="${basePath}${path}/${id}/remove" aria-label="${t.passkeys.remove}${t.common.colon}${name}">${t.passkeys.remove}</a>
  </li>`
}

const times = (visit: MemberVisit, { created_at, last_used_at }: ListedPasskey): Markup => html`
  ${visit.t.passkeys.added} ${moment(visit, created_at)}${
    last_used_at === null
      ? ''
      : html`${visit.t.common.dot}${visit.t.passkeys.lastUsed} ${moment(visit, last_used_at)}`
  }`

/** A key that is plugged in or held to the device, a phone, or this computer. */
function drawingOf({ transports, is_backed_up }: ListedPasskey): IconName {
  if (/\b(?:usb|nfc|ble)\b/.test(transports)) return 'key'
  return is_backed_up === 1 || transports.includes('hybrid') ? 'phone' : 'laptop'
}

/** Which base URL would do; a server on this machine is one link away from one. */
function unavailable(visit: Visit): Markup {
  const { deps, t } = visit
  const { hostname, port, protocol } = new URL(deps.config.baseUrl)
  const isOwn = protocol === 'http:' && /^(?:127\.|\[::1\])/.test(hostname)
  const url = `http://localhost${port === '' ? '' : `:${port}`}${visit.basePath}${path}`
  return html`<div class="note" data-passkeys="unavailable">${icon('shield')}
    <p class="text">${isOwn ? html`${t.passkeys.elsewhere} <a href="${url}">${url}</a>` : t.passkeys.unavailable(deps.config.baseUrl)}</p>
  </div>`
}

const notAdded = () => new FormProblem('', (t) => t.passkeys.notAdded)
