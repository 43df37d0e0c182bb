import type { Read } from '../db/open'
import { prepared } from '../db/prepared'
import type { Write } from '../db/write'
import { lineOfText } from '../values/text'
import { orBlank } from '../values/value'

/** What the administrators call this instance and say about it; '' if they have not. */
export interface InstanceText {
  readonly name: string
  readonly text: string
  /** What those answer who ask to join (registration `approve`). */
  readonly question: string
}

export const instanceName = orBlank(
  lineOfText(40, (t) => t.common.name),
  '',
)

export async function instanceText(read: Read): Promise<InstanceText> {
  const known = new Map((await rows(read, {})).map(({ name, value }) => [name, value]))
  const textOf = (name: keyof typeof names) => known.get(names[name]) ?? ''
  return { name: textOf('name'), text: textOf('text'), question: textOf('question') }
}

/** For letters; '' without a name. */
export const signature = async (read: Read): Promise<string> => (await instanceText(read)).name

export const saveInstanceText = ({ write }: { write: Write }, texts: InstanceText): Promise<void> =>
  write(async (tx) => {
    const values = [
      { name: names.name, value: texts.name },
      { name: names.text, value: texts.text },
      { name: names.question, value: texts.question },
    ]
    await tx
      .insertInto('instance')
      .values(values)
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet(({ ref }) => ({ value: ref('excluded.value') })),
      )
      .execute()
  })

/** Rows of the table `instance`. */
const names = { name: 'site_name', text: 'site_text', question: 'join_question' } as const

const rows = prepared((read) =>
  read.selectFrom('instance').select(['name', 'value']).where('name', 'in', Object.values(names)),
)
