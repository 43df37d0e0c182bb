import { type ListedPasskey, listPasskeys } from '../../accounts/passkeys/passkeys'
import type { RelyingParty } from '../../accounts/passkeys/relying-party'
import { listIdentities } from '../../accounts/provider/identity'
import { factorStanding } from '../../accounts/sign-in/second-factor'
import type { Message } from '../../messages/languages'
import type { Provider } from '../../options/providers'
import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { fieldMarkup } from '../../web/field-markup'
import type { FormState } from '../../web/form-markup'
import { problemSummary } from '../../web/form-markup'
import { usesPassword } from '../../web/page'
import type { MemberVisit } from '../../web/visit'
import { currentPasswordField } from './account-fields'
import { partyAt, passkeyForm, passkeyScript, requestOptions } from './passkey-form'
import { confirmForms, orLine, providerTargets } from './provider-links'

/** Somebody signed in, and what they can prove who they are with. */
export interface ConfirmVisit extends MemberVisit {
  readonly ways: {
    /** That have proved their holder, so they do alone: they come first on the page. */
    readonly keys: readonly ListedPasskey[]
    /** Of which a touch is enough after the password, where passkeys are the second step (D101). */
    readonly stepKeys: readonly ListedPasskey[]
    readonly hasApp: boolean
    readonly providers: readonly Provider[]
  }
}

export async function withWays(visit: MemberVisit): Promise<ConfirmVisit> {
  const { deps, session } = visit
  const id = partyAt(visit)?.id
  const [all, identities, { hasKeys, appSince }] = await Promise.all([
    listPasskeys(deps.read, session.userId),
    listIdentities(deps.read, session.userId),
    factorStanding(deps.read, session.userId),
  ])
  const own = all.filter(({ rp_id }) => rp_id === id)
  const isStep = hasKeys && usesPassword(visit)
  const isConnected = ({ issuer }: Provider) => identities.some((one) => one.issuer === issuer)
  return {
    ...visit,
    ways: {
      keys: own.filter(({ is_verified }) => is_verified === 1),
      stepKeys: own.filter(({ is_verified }) => isStep && is_verified === 0),
      hasApp: appSince !== null,
      providers: deps.config.providers.filter(isConnected),
    },
  }
}

/**
 * Every way that the account has, the shortest first. `form` is that of the password, if it has one; `refused`: what was wrong with
 * the touch of a key.
 */
export function confirmPage(
  visit: ConfirmVisit,
  form: Markup | undefined,
  { return_to = '', code }: FormState['texts'],
  refused?: Message,
): PageContent {
  const { t, session, ways, basePath } = visit
  const party = partyAt(visit)
  const alone = party === undefined || ways.keys.length === 0 ? undefined : byKey(visit, party, return_to)
  const providers = confirmForms(visit, ways.providers, return_to)
  const password = form && withStepKeys(visit, form, { return_to, refused, isTyped: code !== undefined })
  const main = html`<div class="narrow">
      <h1>${t.confirm.title}</h1>
      <p>${t.common.sentences([purposeOf(return_to)(t), t.confirm.signedInAs(session.username)])}</p>
      ${alone === undefined ? '' : html`<div class="ways">${alone}</div>`}
      ${alone !== undefined && password !== undefined ? orLine(visit) : ''}
      ${password ?? ''}
      ${alone === undefined && password !== undefined && providers.length > 0 ? orLine(visit) : ''}
      ${providers.length === 0 ? '' : html`<div class="ways">${providers}</div>`}
      ${alone === undefined && password === undefined && providers.length === 0 ? html`<p>${t.confirm.noWay}</p>` : ''}
      <p><a href="${basePath}/settings">${t.confirm.cancel}</a></p>
    </div>`
  const formTargets = providerTargets(ways.providers)
  const title = t.confirm.title
  return {
    title,
    place: 'me',
    head: passkeyScript(visit),
    main,
    ...(providers.length > 0 && { formTargets }),
  }
}

const byKey = (visit: ConfirmVisit, party: RelyingParty, return_to: string): Markup =>
  passkeyForm(visit, {
    path: '/confirm/passkey',
    act: 'confirm-passkey',
    options: requestOptions(visit, party, 'confirm', visit.ways.keys),
    button: (t) => t.passkeys.confirm,
    kind: 'filled',
    fields: { return_to },
  })

interface StepKeys {
  readonly return_to: string
  readonly refused: Message | undefined
  /** Whether the form of the code is shown again. */
  readonly isTyped: boolean
}

/** Of the password with a code and the password with a touch, what is usual for the account is open. */
function withStepKeys(visit: ConfirmVisit, form: Markup, { return_to, refused, isTyped }: StepKeys): Markup {
  const { t, ways } = visit
  const party = partyAt(visit)
  if (party === undefined || ways.stepKeys.length === 0) return form
  const touch = passkeyForm(visit, {
    path: '/confirm/code/passkey',
    act: 'confirm-code-passkey',
    options: requestOptions(visit, party, 'confirm_code', ways.stepKeys),
    button: (t) => t.passkeys.useKey,
    ...(ways.keys.length === 0 && !ways.hasApp && { kind: 'filled' }),
    fields: { return_to },
    visible: fieldMarkup(visit, {
      ...{ name: 'key_password', field: currentPasswordField, text: '' },
      ...{ problem: undefined, hasFocus: false },
    }),
  })
  const problem = refused === undefined ? '' : problemSummary(visit, refused)
  const other = (words: string, content: Markup, isOpen: boolean) =>
    html`<details${isOpen ? html` open` : ''}><summary>${words}</summary>${content}</details>`
  return ways.hasApp
    ? html`${problem}${form}${other(t.passkeys.useKey, touch, refused !== undefined)}`
    : html`${problem}${touch}${other(t.confirm.byRecoveryCode, form, isTyped)}`
}

const purposeOf = (target: string): Message =>
  purposes.find(([path]) => path.test(target))?.[1] ?? ((t) => t.confirm.toContinue)

/** The first match wins; a test fails if a page that asks is not listed. */
const purposes: readonly (readonly [RegExp, Message])[] = [
  [/^\/settings\/email/, (t) => t.confirm.toChangeEmail],
  [/^\/settings\/password\/remove/, (t) => t.confirm.toRemovePassword],
  [/^\/settings\/password/, (t) => t.confirm.toSetPassword],
  [/^\/settings\/providers/, (t) => t.confirm.toManageProviders],
  [/^\/settings\/passkeys\/\d+\/remove/, (t) => t.confirm.toRemovePasskey],
  [/^\/settings\/passkeys/, (t) => t.confirm.toManagePasskeys],
  [/^\/settings\/sign_ins/, (t) => t.confirm.toSeeSignIns],
  [/^\/settings\/delete_account/, (t) => t.confirm.toDeleteAccount],
  [/^\/settings\/two_step\/codes/, (t) => t.confirm.toRenewCodes],
  [/^\/settings\/two_step\/off/, (t) => t.confirm.toTurnOffTwoStep],
  [/^\/settings\/two_step/, (t) => t.confirm.toManageTwoStep],
  [/^\/settings\/sessions/, (t) => t.confirm.toSeeSessions],
  [/^\/settings\/export/, (t) => t.confirm.toDownloadData],
  [/^\/settings\/tokens/, (t) => t.confirm.toCreateToken],
  [/^\/oauth\/applications\/\d+\/rotate/, (t) => t.confirm.toReplaceSecret],
  [/^\/admin\/users\/\d+\/reset_password/, (t) => t.confirm.toCreateResetLink],
  [/^\/admin\/users/, (t) => t.confirm.toManageUsers],
  [/^\/admin\/invitations/, (t) => t.confirm.toManageInvitations],
  [/^\/works\/\d+\/shared_cover/, (t) => t.confirm.toChangeCover],
  [/^\/(?:admin|welcome\/catalogue)/, (t) => t.confirm.toAdminister],
]
