import { TextField } from './fields';

/** The version of a build, in responses. */
export const VersionField = (): PropertyDecorator =>
  TextField({ max: 128, example: '1.4.0', description: 'The version that people see.' });

/** The build number of a build, in responses. */
export const BuildNumberField = (): PropertyDecorator =>
  TextField({
    max: 128,
    nullable: true,
    example: '42',
    description: 'Distinguishes builds of one version. `null` when neither the upload nor the artifact contained it.',
  });
