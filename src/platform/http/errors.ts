import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { type ErrorCode } from '#kernel/errors/catalogue';

export const ERRORS_KEY = 'agate:errors';

/**
 * Names the errors that a route can answer beyond those that follow from its other declarations (access, limit, input):
 * they become the error responses of the OpenAPI document.
 */
export const Errors = (...codes: readonly ErrorCode[]): MethodDecorator =>
  applyDecorators(SetMetadata(ERRORS_KEY, codes), ApiExtension('x-errors', codes));
