import { findUser } from '../../accounts/account/user'
import { exportUser } from '../../accounts/export/export'
import type { Command } from '../command'
import { withExistingStore } from '../open'
import { writeOut } from '../write-out'

export const userExport: Command = {
  name: 'user export',
  summary: 'Writes everything that is kept of a user as JSON, to a file or to standard output.',
  operands: [{ name: 'USERNAME' }, { name: 'FILE', optional: true }],
  options: [],
  examples: ['kiroku user export mio mio.json', 'kiroku user export mio | jq .records'],
  run: (call) =>
    withExistingStore(call, async ({ read }) => {
      const [username = '', path = '-'] = call.operands
      const userId = await findUser(read, username)
      await writeOut(call, path, exportUser({ read, now: call.now }, userId))
    }),
}
