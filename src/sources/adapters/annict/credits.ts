import { rolesByLabel } from '../../credits'
import type { CatalogueLine } from '../../source'
import { keyOf, lineOf, namedLine } from './line'
import type { Cast, Staff } from './shapes'

export function* castLines(work: string, cast: Cast): Generator<CatalogueLine> {
  const { character, person, name, nameEn, sortNumber } = cast
  yield namedLine('character', character)
  yield namedLine('person', person)
  yield lineOf('cast', cast, {
    work,
    character: keyOf(character),
    person: keyOf(person),
    name,
    name_en: nameEn,
    sort_number: sortNumber,
  })
}

export function* staffLines(work: string, staff: Staff): Generator<CatalogueLine> {
  const { resource, name, nameEn, roleText, roleOther, sortNumber } = staff
  const type = resource.__typename === 'Person' ? 'person' : 'organization'
  const role = rolesByLabel.get(roleText ?? '') ?? 'other'
  yield namedLine(type, resource)
  yield lineOf('staff', staff, {
    work,
    [type]: keyOf(resource),
    name,
    name_en: nameEn,
    role,
    role_text: role === 'other' ? roleText : undefined,
    role_other: roleOther,
    sort_number: sortNumber,
  })
}
