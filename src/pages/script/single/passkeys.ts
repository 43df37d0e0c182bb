// A file of its own (`passkeys.js`) for pages with forms that a passkey fills in: `data-options` is what the browser is asked for,
// and the answer goes into the form, which is then sent as any other.

interface Ask {
  readonly form: HTMLFormElement
  readonly signal: AbortSignal
  readonly mediation?: 'conditional'
}

interface CredentialName {
  readonly id: string
}

/** The parts of `PublicKeyCredential{Creation,Request}OptionsJSON` that are not as the browser wants them. */
interface OptionsJson {
  readonly challenge: string
  readonly user?: CredentialName
  readonly allowCredentials?: readonly CredentialName[]
  readonly excludeCredentials?: readonly CredentialName[]
}

/** Only one request may be open: the one of the name field ends when a button is pressed. */
let running = new AbortController()

if (window.PublicKeyCredential) {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-options]')) {
    form.hidden = false
    form.addEventListener('submit', (event) => {
      if (answerOf(form).value !== '') return
      event.preventDefault()
      running.abort()
      running = new AbortController()
      void fill({ form, signal: running.signal })
    })
  }
  // The browser went back to this page: what was answered is spent.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
  void offerInField()
  tellAccepted()
}

/** In the name field, without a press. */
async function offerInField(): Promise<void> {
  const form = document.querySelector<HTMLFormElement>('form[data-conditional]')
  if (form === null || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  await fill({ form, signal: running.signal, mediation: 'conditional' })
}

/** Cancelled, or too late: nothing happens, and the button is still there. */
async function fill({ form, ...how }: Ask): Promise<void> {
  try {
    const credential = await ask(JSON.parse(form.dataset.options ?? ''), how)
    answerOf(form).value = JSON.stringify(credential)
    form.requestSubmit()
  } catch (cause) {
    const known = form.querySelector<HTMLElement>('[data-known]')
    if (known !== null) known.hidden = !(cause instanceof DOMException && cause.name === 'InvalidStateError')
  }
}

const answerOf = (form: HTMLFormElement) => form.elements.namedItem('credential') as HTMLInputElement

async function ask(options: OptionsJson, how: Omit<Ask, 'form'>): Promise<unknown> {
  const isNew = 'pubKeyCredParams' in options
  const publicKey = decoded(options)
  const credential = isNew
    ? await navigator.credentials.create({ publicKey: publicKey as never, signal: how.signal })
    : await navigator.credentials.get({ publicKey: publicKey as never, ...how })
  return encoded(credential as PublicKeyCredential)
}

/** What JSON has as base64url and the browser wants as bytes. */
function decoded({ challenge, user, allowCredentials, excludeCredentials, ...rest }: OptionsJson) {
  const withBytes = (one: CredentialName) => ({ ...one, id: bytesOf(one.id) })
  return {
    ...rest,
    challenge: bytesOf(challenge),
    ...(user && { user: withBytes(user) }),
    ...(allowCredentials && { allowCredentials: allowCredentials.map(withBytes) }),
    ...(excludeCredentials && { excludeCredentials: excludeCredentials.map(withBytes) }),
  }
}

/** As its `toJSON()`, which some browsers lack and some extensions break. */
function encoded({ id, response }: PublicKeyCredential) {
  const { clientDataJSON } = response
  const { signature, userHandle, authenticatorData } = response as AuthenticatorAssertionResponse
  const made = response as AuthenticatorAttestationResponse
  return {
    id,
    response: {
      clientDataJSON: textOf(clientDataJSON),
      authenticatorData: textOf(authenticatorData ?? made.getAuthenticatorData()),
      ...(signature
        ? { signature: textOf(signature), ...(userHandle && { userHandle: textOf(userHandle) }) }
        : { transports: made.getTransports?.() ?? [] }),
    },
  }
}

const bytesOf = (text: string) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0))

const textOf = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '')

/** The device forgets passkeys that were removed here. */
function tellAccepted(): void {
  const told = document.querySelector<HTMLElement>('[data-accepted]')?.dataset.accepted
  const api = PublicKeyCredential as { signalAllAcceptedCredentials?(told: unknown): Promise<void> }
  if (told !== undefined) api.signalAllAcceptedCredentials?.(JSON.parse(told)).catch(() => {})
}
