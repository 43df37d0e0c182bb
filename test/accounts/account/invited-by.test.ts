import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { beginDeletion, finishDeletion } from '../../../src/accounts/account/deletion'
import { createInvitation } from '../../../src/accounts/account/invitation'
import { createInstance, type Instance } from '../../support/instance'
import { createMember, createVisitor, type Visitor } from '../../support/visitor'

let kiroku: Instance
let admin: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  await kiroku.deps.write((tx) =>
    tx.updateTable('users').set({ is_admin: 1 }).where('username', '=', 'mio').execute(),
  )
  admin = await createMember(kiroku, 'mio')
})
afterEach(() => kiroku.close())

const userCalled = (username: string) =>
  kiroku.deps.read
    .selectFrom('users')
    .select(['id', 'invited_by'])
    .where('username', '=', username)
    .executeTakeFirst()

describe('who invited whom', () => {
  const inviteBy = async (createdBy: number | null, username: string) => {
    const { code } = await createInvitation(kiroku.deps, {
      createdBy,
      uses: 1,
      expiresIn: undefined,
      note: '',
    })
    const values = { username, email: `${username}@example.com`, password: 'correct horse battery' }
    const made = await createVisitor(kiroku).submit(`/invitations/${code}`, values)
    expect(made.status).toBe(303)
    return (await userCalled(username))?.id ?? 0
  }
  const partOf = (text: string, id: string) =>
    [
      ...(new RegExp(`<dd id="${id}">([\\s\\S]*?)</dd>`).exec(text)?.[1] ?? '').matchAll(/>([^<]+)<\/a>/g),
    ].map(([, name]) => name)
  const around = async (id: number) => {
    const { text } = await admin.open(`/admin/users/${id}`)
    return [partOf(text, 'invited-by'), partOf(text, 'invited')]
  }

  test('stands on the pages of both, without those who came by the command line or by a request', async () => {
    const [tsumugi, mugi] = [await inviteBy(4, 'tsumugi'), await inviteBy(4, 'mugi')]
    const [sawako, other] = [await inviteBy(tsumugi, 'sawako'), await inviteBy(null, 'other')]
    expect(await Promise.all([4, tsumugi, mugi, sawako, other].map(around))).toEqual([
      [[], ['tsumugi', 'mugi']],
      [['azusa'], ['sawako']],
      [['azusa'], []],
      [['tsumugi'], []],
      [[], []],
    ])
  })

  test('is forgotten with the account, also where its comments stay', async () => {
    const tsumugi = await inviteBy(4, 'tsumugi')
    const mugi = await inviteBy(tsumugi, 'mugi')
    await beginDeletion(kiroku.deps, { userId: tsumugi, keepsComments: true })
    await finishDeletion(kiroku.deps, tsumugi)
    expect(await userCalled('mugi')).toMatchObject({ invited_by: null })
    expect(await userCalled(`deleted_${tsumugi}`)).toMatchObject({ invited_by: null })
    expect(await around(mugi)).toEqual([[], []])
  })
})
