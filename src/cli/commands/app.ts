import { findUser } from '../../accounts/account/user'
import { settings } from '../../config'
import { Failure } from '../../lib/failure'
import { isoTime } from '../../lib/time'
import { findApplication } from '../../oauth/clients/application'
import { endAccess } from '../../oauth/clients/end-access'
import { listApplications } from '../../oauth/clients/owned-applications'
import { registerApplication, unencryptedUris } from '../../oauth/clients/registration'
import type { Option } from '../../options/option'
import { nonBlank } from '../../values/text'
import { type CliCall, type Command, flag, json } from '../command'
import { withExistingStore, withStore } from '../open'
import { scopeOption } from '../scope'
import { table } from '../table'

const name: Option<string> = {
  name: 'name',
  type: 'NAME',
  sentence: 'The name shown on the consent page.',
  defaultText: '',
  defaultValue: '',
  required: true,
  value: nonBlank,
}

const redirectUri: Option<string> = {
  name: 'redirect-uri',
  type: 'URI',
  sentence: 'Where users return to; may be repeated. urn:ietf:wg:oauth:2.0:oob shows the code instead.',
  defaultText: '',
  defaultValue: '',
  required: true,
  repeatable: true,
  value: nonBlank,
}

const scope = scopeOption('The widest scope it may request: "read", "write" or "read write".', 'read write')
const isPublic = flag('public', 'For a client that cannot keep a secret, such as an installed app.')
const device = flag('device', 'Allows the device authorization grant.')
const sendIss = flag('send-iss', 'Sends the issuer (iss) with each code, for clients that verify it.')

export const appCreate: Command = {
  name: 'app create',
  summary:
    'Registers a client application for a user and prints its id and secret as JSON. The secret cannot be shown again.',
  operands: [{ name: 'USERNAME' }],
  options: [name, redirectUri, scope, isPublic, device, sendIss],
  examples: [
    'kiroku app create mio --name "Statistics" --redirect-uri https://stats.example/callback',
    'kiroku app create mio --name "On the desk" --redirect-uri http://127.0.0.1/callback --public',
    'kiroku app create mio --name "On the TV" --redirect-uri urn:ietf:wg:oauth:2.0:oob --public --device',
  ],
  run: async (call) => {
    const [username = ''] = call.operands
    // Without --base-url, the instance is assumed to use plain http (D54).
    const baseUrl = call.get(settings.baseUrl) ?? 'http://127.0.0.1'
    const registration = {
      name: call.get(name),
      redirectUris: call.get(redirectUri),
      scope: call.get(scope),
      isConfidential: !call.get(isPublic),
      hasDeviceGrant: call.get(device),
      sendsIss: call.get(sendIss),
    }
    const { uid, secret } = await withStore(call, async ({ read, write }) =>
      registerApplication(
        { write, now: call.now, random: call.random, baseUrl },
        { ...registration, ownerId: await findUser(read, username) },
      ),
    )
    await call.print(JSON.stringify({ client_id: uid, client_secret: secret }))
    const open = unencryptedUris(registration.redirectUris)
    if (open.length > 0)
      await call.note(`codes sent to these addresses can be intercepted: ${open.join(', ')}`)
  },
}

export const appList: Command = {
  name: 'app list',
  summary: 'Lists the client applications of all users.',
  operands: [],
  options: [json],
  examples: ['kiroku app list', 'kiroku app list --json'],
  run: (call) =>
    withExistingStore(call, async ({ read }) =>
      printApplications(call, await listApplications(read, call.now())),
    ),
}

export const appRevoke: Command = {
  name: 'app revoke',
  summary: 'Revokes all tokens of a client application, by its client id.',
  operands: [{ name: 'CLIENT_ID' }],
  options: [],
  examples: ['kiroku app revoke 0f6c1c9e4b7a4d2f8e3b5a6c7d8e9f00'],
  run: async (call) => {
    const [uid = ''] = call.operands
    const count = await withStore(call, async ({ read, write }) => {
      const application = await findApplication(read, uid)
      if (application === undefined)
        throw new Failure('data', `there is no application with the client id ${JSON.stringify(uid)}`)
      return await write((tx) => endAccess(tx, { applicationId: application.id }))
    })
    await call.print(`revoked ${count === 1 ? '1 token' : `${count} tokens`} of ${uid}`)
  },
}

async function printApplications(call: CliCall, applications: Awaited<ReturnType<typeof listApplications>>) {
  const shown = applications.map((application) => ({
    client_id: application.uid,
    name: application.name,
    owner: application.username,
    redirect_uris: application.redirect_uris.split('\n'),
    scope: application.scope,
    public: application.is_confidential === 0,
    device: application.has_device_grant === 1,
    send_iss: application.sends_iss === 1,
    users: application.users_count ?? 0,
    created_at: isoTime(application.created_at),
    last_used_at: application.last_used_at === null ? null : isoTime(application.last_used_at),
  }))
  if (call.get(json)) return await call.print(JSON.stringify(shown, null, 2))
  if (shown.length === 0) return await call.note('there are no applications yet: see kiroku help app create')
  const rows = shown.map((one) => [
    ...[one.client_id, one.name, one.owner, one.scope, one.public ? 'public' : 'confidential'],
    ...[String(one.users), one.last_used_at ?? 'never'],
  ])
  await call.print(table([['CLIENT ID', 'NAME', 'OWNER', 'SCOPE', 'KIND', 'USERS', 'LAST USED'], ...rows]))
}
