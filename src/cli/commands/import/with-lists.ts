import { findUser } from '../../../accounts/account/user'
import { ApiError } from '../../../http/errors'
import { Failure } from '../../../lib/failure'
import { createLists } from '../../../transfer/batch/create-lists'
import type { Lists } from '../../../transfer/batch/lists'
import type { CliCall } from '../../command'
import { withExistingStore } from '../../open'

/** For the user named by the first operand. A server may be running. */
export const withLists = <T>(call: CliCall, use: (lists: Lists, userId: number) => Promise<T>): Promise<T> =>
  withExistingStore(call, async (store) => {
    const [username = ''] = call.operands
    const userId = await findUser(store.read, username)
    const lists = createLists({ ...store, now: call.now })
    try {
      return await use(lists, userId)
    } catch (cause) {
      throw cause instanceof ApiError ? new Failure('data', cause.violations.join(' ')) : cause
    } finally {
      await lists.close()
    }
  })
