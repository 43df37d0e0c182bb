import { noteSignIn } from '../../accounts/sign-in/sign-ins'
import type { RawValues } from '../../http/request-values'
import { defineAction, formText, orShownAgain } from '../../web/form'
import { formMarkup } from '../../web/form-markup'
import { keptJson } from '../../web/kept-form'
import { anyone, seeOther } from '../../web/page'
import { safeReturn } from '../../web/return-to'
import { browserOf, type Visit } from '../../web/visit'
import { withPasskey } from './passkey-form'
import { beginSession, refusal, signInForm, signInPage } from './sign-in'

/** With the key that the person chose on the device: no name, no password, and no code after it (D100, D101). */
export const passkeySignIn = defineAction({
  path: '/sign_in/passkey',
  access: anyone,
  run: (visit, sent) => {
    const texts = { return_to: formText(sent, 'return_to'), kept: formText(sent, 'kept') }
    return orShownAgain(
      () => signInByPasskey(visit, sent, texts),
      ({ text }) => {
        const state = { texts, problems: { '': text } }
        return signInPage(visit, formMarkup(visit, signInForm(visit.deps), state, '/sign_in'), texts)
      },
    )
  },
})

const signInByPasskey = (
  visit: Visit,
  sent: RawValues,
  { kept, return_to }: { readonly kept: string; readonly return_to: string },
) =>
  withPasskey(visit, sent, { purpose: 'sign_in' }, async ({ signer, accept }) => {
    const { deps, context } = visit
    const { userId, id: passkeyId, name: passkey, isDisabled } = signer
    const by = { way: 'passkey', passkey } as const
    const outcome = isDisabled ? 'disabled' : 'ok'
    deps.log('sign_in', { id: context.id, way: 'passkey', outcome, user: userId })
    if (isDisabled) {
      const refused = { ...by, userId, outcome: 'disabled', at: deps.now() } as const
      await deps.write((tx) => noteSignIn(tx, { ...refused, browser: browserOf(visit) }))
      throw refusal({ outcome: 'disabled', userId })
    }
    const keptForm = keptJson(kept)
    await beginSession(visit, userId, { by, passkeyId, first: accept, keptForm })
    return seeOther(visit, keptForm === undefined ? safeReturn(return_to, deps.config.baseUrl) : '/kept')
  })
