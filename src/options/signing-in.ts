import { Failure } from '../lib/failure'
import { either } from '../values/text'
import { mapped } from '../values/value'
import { tableOption } from './table-option'

export const signingIn = {
  registration: tableOption({
    name: 'registration',
    type: 'closed|invite|approve|open',
    defaultText: 'invite',
    defaultValue: 'invite',
    sentence:
      'Who may sign up on the web: nobody, people with an invitation, also those an administrator lets in, or anyone.',
    commands: ['serve'],
    value: either(['closed', 'invite', 'approve', 'open']),
  }),
  requireTwoStep: tableOption({
    name: 'require-two-step',
    type: 'off|administrators|everyone',
    defaultText: 'off',
    defaultValue: 'off',
    sentence: 'Who must use two-step verification on the pages.',
    commands: ['serve'],
    value: either(['off', 'administrators', 'everyone']),
  }),
  passwordSignIn: tableOption({
    name: 'password-sign-in',
    type: 'on|off',
    defaultText: 'on',
    defaultValue: true,
    sentence: 'Whether people can sign in with a password; off needs a provider.',
    commands: ['serve'],
    value: mapped(either(['on', 'off']), (word) => word === 'on'),
  }),
}

/** D104: without passwords there must be another way in. Throws a `config` failure. */
export function refuseNoWayIn(settings: {
  readonly passwordSignIn: boolean
  readonly providers: readonly unknown[]
}): void {
  if (settings.passwordSignIn || settings.providers.length > 0) return
  throw new Failure('config', '--password-sign-in off needs a provider to sign in with: see --oidc-issuer')
}
