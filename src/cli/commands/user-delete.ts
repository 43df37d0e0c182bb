import { beginDeletion, finishDeletion } from '../../accounts/account/deletion'
import { findUser } from '../../accounts/account/user'
import { type Command, flag } from '../command'
import { withStore } from '../open'
import { createProgress } from '../progress'

const keepComments = flag(
  'keep-comments',
  'Keeps records with a comment and reviews with text, under an anonymous account.',
)

export const userDelete: Command = {
  name: 'user delete',
  summary: 'Deletes a user and all their data. Run it again to complete an interrupted deletion.',
  operands: [{ name: 'USERNAME' }],
  options: [keepComments],
  examples: ['kiroku user delete mio', 'kiroku user delete mio --keep-comments'],
  run: async (call) => {
    const [username = ''] = call.operands
    const userId = await withStore(call, async ({ read, write, storage }) => {
      const deps = { read, write, storage, now: call.now }
      const id = await findUser(read, username)
      await beginDeletion(deps, { userId: id, keepsComments: call.get(keepComments) })
      const progress = createProgress()
      const show = (rows: number) => progress.show(`deleting: ${rows.toLocaleString('en')} rows`)
      await finishDeletion(deps, id, show).finally(progress.end)
      return id
    })
    const left = call.get(keepComments) ? `; what they wrote is under deleted_${userId} now` : ''
    await call.print(`deleted the user ${username}${left}`)
  },
}
