import type { Instance } from './instance'
import { until } from './until'
import { hiddenInputs, type Page, sameOrigin, type Visitor } from './visitor'

/** Rows about the small catalogue: two to add, one to check, one not found, one that cannot be read. */
export const list = [
  'work_id,title,year,status,progress,rating,comment',
  '1,星降る庭,,watching,1,good,',
  '4,無題,,wanna_watch,,,Fine',
  ',100%の恋,,wanna_watch,,,',
  ',Nobody knows this,2001,watched,12,,',
  '3,海のＡＢＣ,,unheard of,,,',
].join('\n')

/** Chooses a file on the import page and sends it. */
export async function sendList(
  visitor: Visitor,
  content: string | Blob,
  { name = 'list.csv', source = '' } = {},
): Promise<Page> {
  const { csrf = '' } = hiddenInputs((await visitor.open('/settings/import')).text, '/settings/import')
  return await postList(visitor, { csrf, source, file: new File([content], name) })
}

/** A form as a browser sends it, with any parts. */
export async function postList(
  visitor: Visitor,
  parts: Readonly<Record<string, string | File>>,
): Promise<Page> {
  const form = new FormData()
  for (const [part, value] of Object.entries(parts)) form.append(part, value)
  return await visitor.open('/settings/import', { method: 'POST', body: form, headers: sameOrigin })
}

/** Creates a preview of a file; returns its path, such as `/settings/import/3`. */
export async function previewOf(visitor: Visitor, content: string): Promise<string> {
  const { status, location, text } = await sendList(visitor, content)
  if (status !== 303) throw new Error(`the list was refused: ${text}`)
  return location
}

/** Waits until nothing is being applied or undone. */
export async function untilSettled({ store }: Instance): Promise<void> {
  const query = store.handle.query(
    "select 1 from list_imports where state in ('reading', 'applying', 'undoing')",
  )
  await until(() => query.get() === null)
}
