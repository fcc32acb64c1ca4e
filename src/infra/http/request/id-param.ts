import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { AppError } from '#kernel/errors/app-error';
import { canonicalId, isUuid } from '#kernel/ids';
import { EXAMPLE, type ExampleKind, exampleKindOf } from '../dto/example';

@Injectable()
class IdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!isUuid(value)) throw new AppError('not_found');
    return canonicalId(value);
  }
}

/**
 * Parameter decorator: a UUID from the path, in lower case. A value that is not a UUID is `404 not_found`.
 * @param kind what the id identifies, if its name does not say it: `token_id`.
 */
export const IdParam =
  (name: string, kind: ExampleKind | undefined = exampleKindOf(name)): ParameterDecorator =>
  (target, method, index) => {
    Param(name, IdPipe)(target, method, index);
    const handler = method && Object.getOwnPropertyDescriptor(target, method);
    if (!handler) return;
    const example = kind && EXAMPLE.ids[kind];
    const description = kind && `Id of the ${kind}.`;
    ApiParam({ name, description, schema: { type: 'string', format: 'uuid', example } })(target, method, handler);
  };
