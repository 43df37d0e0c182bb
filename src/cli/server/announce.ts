import { createSetupLink } from '../../accounts/account/setup'
import { dataFlag } from '../../backup/way-back'
import type { Config } from '../../config'
import type { Store } from '../../db/open'
import { version } from '../../version'
import type { CliCall } from '../command'

/** Prints where the server listens, and how to create the first administrator. */
export async function announce(
  call: CliCall,
  store: Store,
  config: Config,
  { address, metrics }: { address: string; metrics: string | undefined },
): Promise<void> {
  const lines = [
    `kiroku ${version} listening on ${address}`,
    ...(config.baseUrl === address ? [] : [`reached as ${config.baseUrl}`]),
    ...(metrics === undefined ? [] : [`metrics at ${metrics}`]),
    ...(await nextSteps(store, config, call)),
  ]
  // A closed standard output is no reason not to serve.
  await call.print(lines.join('\n')).catch(() => {})
}

/** Printed for an instance without users (D51). */
async function nextSteps(
  { read, write }: Store,
  { baseUrl, data }: Config,
  call: CliCall,
): Promise<string[]> {
  const user = await read.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (user !== undefined) return []
  const link = await createSetupLink({ read, write, now: call.now, random: call.random })
  const where = dataFlag(data)
  return [
    'There are no users yet. Create the administrator here, within 30 minutes:',
    `  ${baseUrl}/setup/${link}`,
    `(later: kiroku setup-url${where}; or: kiroku user create NAME --email ADDRESS --admin${where})`,
    `The API is described at ${baseUrl}/docs.`,
  ]
}
