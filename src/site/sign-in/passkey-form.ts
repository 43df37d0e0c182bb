import {
  challengeTime,
  createChallenge,
  type PasskeyPurpose,
  PasskeyRefused,
} from '../../accounts/passkeys/challenge'
import {
  acceptAssertion,
  type FoundPasskey,
  findSigner,
  type ListedPasskey,
  passkeyHandle,
  tellOfCopy,
} from '../../accounts/passkeys/passkeys'
import { type RelyingParty, relyingPartyAt } from '../../accounts/passkeys/relying-party'
import { noteSignIn } from '../../accounts/sign-in/sign-ins'
import { beginAttempt, takeBackAttempt } from '../../accounts/sign-in/throttle'
import { addressThrottle } from '../../accounts/sign-in/throttle-kinds'
import type { Tx } from '../../db/write'
import type { RawValues } from '../../http/request-values'
import type { Message } from '../../messages/languages'
import { pageScript } from '../../pages/assets'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { formText } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { FormProblem } from '../../web/problem'
import { browserOf, type MemberVisit, type Visit } from '../../web/visit'
import { tooOften } from '../too-often'

export const partyAt = ({ deps, request }: Visit): RelyingParty | undefined =>
  relyingPartyAt(deps.config.baseUrl, request.url)

const base64url = (bytes: Uint8Array): string => bytes.toBase64({ alphabet: 'base64url', omitPadding: true })

const challengeFor = (visit: Visit, purpose: PasskeyPurpose): string => {
  const { deps } = visit
  return base64url(createChallenge(deps.random, { purpose, cookie: visit.browserCookie(), at: deps.now() }))
}

/** As `excludeCredentials` and `allowCredentials` name them. */
export const descriptors = (passkeys: readonly ListedPasskey[], { id }: RelyingParty) =>
  passkeys
    .filter(({ rp_id }) => rp_id === id)
    .map(({ credential_id, transports }) => ({
      type: 'public-key',
      id: base64url(credential_id),
      ...(transports !== '' && { transports: transports.split(',') }),
    }))

/** `PublicKeyCredentialRequestOptionsJSON`. Without `allowed`, the device offers what it has for this host. */
export const requestOptions = (
  visit: Visit,
  party: RelyingParty,
  purpose: AskedPasskey['purpose'],
  allowed: readonly ListedPasskey[] = [],
) => ({
  challenge: challengeFor(visit, purpose),
  rpId: party.id,
  timeout: challengeTime,
  userVerification: isAlone(purpose) ? 'required' : 'discouraged',
  allowCredentials: descriptors(allowed, party),
})

/** Without a password before it, or with it: then a touch is enough (D101). */
const isAlone = (purpose: AskedPasskey['purpose']) => purpose === 'sign_in' || purpose === 'confirm'

/** `PublicKeyCredentialCreationOptionsJSON`, with the handle that the form has to send along. */
export async function creationOptions(
  visit: MemberVisit,
  party: RelyingParty,
  own: readonly ListedPasskey[],
) {
  const { deps, session } = visit
  const { userId, username } = session
  const handle = base64url((await passkeyHandle(deps.read, userId)) ?? deps.random(32))
  const options = {
    rp: { id: party.id, name: 'kiroku' },
    user: { id: handle, name: username, displayName: username },
    challenge: challengeFor(visit, 'add'),
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeTime,
    excludeCredentials: descriptors(own, party),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none',
  }
  return { options, handle }
}

export interface PasskeyForm {
  readonly path: string
  readonly act: string
  /** JSON for `navigator.credentials`. */
  readonly options: object
  readonly button: Message
  readonly kind?: 'filled'
  readonly drawing?: 'passkey' | 'plus'
  /** Above the button. */
  readonly visible?: Markup
  /** Hidden fields besides the answer. */
  readonly fields?: Readonly<Record<string, string>>
  /** The name field offers passkeys too. */
  readonly isConditional?: boolean
}

/** `script/single/passkeys.ts` shows it, fills in `credential` and sends it: without script and passkeys there is no button that does nothing. */
export function passkeyForm(visit: Visit, form: PasskeyForm): Markup {
  const { path, act, options, button, kind = '', drawing = 'passkey', fields = {}, isConditional } = form
  const { visible = '' } = form
  return html`<form method="post" action="${visit.basePath}${path}" data-act="${act}" data-options="${JSON.stringify(options)}"${isConditional ? html` data-conditional` : ''} hidden>
      ${csrfInput(visit)}
      ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <input type="hidden" name="credential" value="" />
      <p class="problem" data-known hidden>${visit.t.passkeys.known}</p>
      ${visible}
      <button class="wide ${kind}">${icon(drawing)} ${button(visit.t)}</button>
    </form>
    <noscript><p class="hint">${visit.t.passkeys.needScript}</p></noscript>`
}

/** So that the device forgets what was removed here, and keeps the rest (`signalAllAcceptedCredentials`). */
export async function acceptedKeys(
  { deps, session }: MemberVisit,
  { id }: RelyingParty,
  all: readonly ListedPasskey[],
): Promise<Markup | ''> {
  const handle = await passkeyHandle(deps.read, session.userId)
  if (handle === undefined) return ''
  const ids = all.filter(({ rp_id }) => rp_id === id).map(({ credential_id }) => base64url(credential_id))
  const told = { rpId: id, userId: base64url(handle), allAcceptedCredentialIds: ids }
  return html`<div data-accepted="${JSON.stringify(told)}" hidden></div>`
}

/** For the sign-in page; empty where there can be none. Also offered in the name field, if the browser can. */
export function passkeyWay(visit: Visit, fields: Readonly<Record<string, string>>): readonly Markup[] {
  const party = partyAt(visit)
  if (party === undefined) return []
  const form = passkeyForm(visit, {
    path: '/sign_in/passkey',
    act: 'sign-in-passkey',
    options: requestOptions(visit, party, 'sign_in'),
    button: (t) => t.passkeys.signIn,
    ...(!visit.deps.config.passwordSignIn && { kind: 'filled' }),
    fields,
    isConditional: true,
  })
  return [form]
}

export const passkeyScript = (visit: Visit): Markup => pageScript(visit, 'passkeys.js')

export interface PasskeyProof {
  readonly signer: FoundPasskey
  /** Has to run in the write that believes it. */
  accept(tx: Tx): Promise<void>
}

interface AskedPasskey {
  readonly purpose: Exclude<PasskeyPurpose, 'add'>
  /** Whose it must be; undefined for anyone's. */
  readonly userId?: number
}

/**
 * Checks the answer in the form and gives its proof to `use`. What is wrong counts for the network address and is logged, and the
 * person reads the same whatever it was. Throws a `FormProblem`: 422, or 429 after many.
 */
export async function withPasskey<T>(
  visit: Visit,
  sent: RawValues,
  { purpose, userId }: AskedPasskey,
  use: (proof: PasskeyProof) => Promise<T>,
): Promise<T> {
  const { deps, context, cookie = '' } = visit
  const at = deps.now()
  const text = formText(sent, 'credential')
  const begun = await deps.write((tx) => beginAttempt(tx, [addressThrottle(context.peer)], at))
  if (begun.wait > 0) throw tooOften(begun.wait)
  let signer: FoundPasskey | undefined
  try {
    const party = partyAt(visit)
    if (party === undefined) throw new PasskeyRefused('host')
    const { readAssertion } = await import('../../accounts/passkeys/credential')
    const needsVerification = isAlone(purpose)
    const answer = readAssertion(text, { party, purpose, cookie, at, needsVerification })
    const found = await findSigner(deps, answer, { rpId: party.id, userId, isAlone: needsVerification })
    signer = found
    return await use({
      signer: found,
      accept: async (tx) => {
        await acceptAssertion(tx, found.id, answer, at)
        await takeBackAttempt(tx, begun)
      },
    })
  } catch (cause) {
    if (!(cause instanceof PasskeyRefused)) throw cause
    deps.log('passkey_refused', { id: context.id, purpose, why: cause.why, user: signer?.userId })
    if (signer !== undefined && cause.why === 'copied') await noteCopy(visit, signer)
    throw new FormProblem('', (t) => t.passkeys.refused)
  }
}

async function noteCopy(visit: Visit, signer: FoundPasskey): Promise<void> {
  const { deps, context, language } = visit
  const { userId, name: passkey, id } = signer
  deps.log('passkey_copied', { id: context.id, user: userId, passkey: id })
  tellOfCopy(deps, signer, language)
  const refused = { userId, passkey, way: 'passkey', outcome: 'wrong', at: deps.now() } as const
  await deps.write((tx) => noteSignIn(tx, { ...refused, browser: browserOf(visit) }))
}
