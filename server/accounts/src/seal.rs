//! Encrypts the content of a push for one browser (RFC 8291, with the coding `aes128gcm` of RFC 8188): the push service
//! carries it and cannot read it.

use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use ring::rand::{SecureRandom, SystemRandom};

use tilewire_store::Receiver;

/// The size of the one record, as its head says. Push services take bodies up to this.
const RECORD_BYTES: u32 = 4_096;
/// Bytes of the salt.
const SALT_BYTES: usize = 16;
/// Bytes of a nonce of AES-GCM.
const NONCE_BYTES: usize = 12;
/// Every content is filled up to this, so that its length says nothing.
const PADDED_BYTES: usize = 1_024;
/// The longest content.
pub const CONTENT_BYTES: usize = PADDED_BYTES - 1;
/// Behind the content of the last record.
const LAST_RECORD: u8 = 2;

/// The content cannot be encrypted: the browser's key is no point of the curve, or the content is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a push cannot be encrypted for this browser")]
pub struct NotSealed;

/// A number of bytes to be derived.
struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

/// Encrypts a content for a browser.
///
/// # Errors
/// When the browser's key is none, or the content is longer than [`CONTENT_BYTES`].
pub fn seal(receiver: &Receiver, content: &[u8]) -> Result<Vec<u8>, NotSealed> {
    if content.len() > CONTENT_BYTES {
        return Err(NotSealed);
    }
    let random = SystemRandom::new();
    let mut salt = [0; SALT_BYTES];
    random.fill(&mut salt).map_err(|_| NotSealed)?;
    let own = EphemeralPrivateKey::generate(&ECDH_P256, &random).map_err(|_| NotSealed)?;
    let own_public = own.compute_public_key().map_err(|_| NotSealed)?;
    let browser = UnparsedPublicKey::new(&ECDH_P256, &receiver.public);
    let mut plain = content.to_vec();
    plain.push(LAST_RECORD);
    plain.resize(PADDED_BYTES, 0);
    agree_ephemeral(own, &browser, |shared| {
        sealed(shared, receiver, own_public.as_ref(), salt, plain)
    })
    .map_err(|_| NotSealed)?
}

/// Says whether a push can be encrypted for a browser: its key is a point of the curve.
pub(crate) fn can_seal(receiver: &Receiver) -> bool {
    seal(receiver, &[]).is_ok()
}

/// Encrypts with the secret that both sides know. `plain` has its delimiter and its padding.
fn sealed(
    shared: &[u8],
    receiver: &Receiver,
    own_public: &[u8],
    salt: [u8; SALT_BYTES],
    mut plain: Vec<u8>,
) -> Result<Vec<u8>, NotSealed> {
    let failed = |_| NotSealed;
    let combined = Salt::new(HKDF_SHA256, &receiver.auth).extract(shared);
    let info = [b"WebPush: info\0".as_slice(), &receiver.public, own_public];
    let mut material = [0; 32];
    let derived = combined.expand(&info, Length(material.len()));
    derived
        .and_then(|bytes| bytes.fill(&mut material))
        .map_err(failed)?;
    let keys = Salt::new(HKDF_SHA256, &salt).extract(&material);
    let key = keys.expand(&[b"Content-Encoding: aes128gcm\0"], &AES_128_GCM);
    let key = LessSafeKey::new(UnboundKey::from(key.map_err(failed)?));
    let mut nonce = [0; NONCE_BYTES];
    let derived = keys.expand(&[b"Content-Encoding: nonce\0"], Length(NONCE_BYTES));
    derived
        .and_then(|bytes| bytes.fill(&mut nonce))
        .map_err(failed)?;
    // The key is used once, so its nonce is too.
    let nonce = Nonce::assume_unique_for_key(nonce);
    key.seal_in_place_append_tag(nonce, Aad::empty(), &mut plain)
        .map_err(failed)?;
    let id_length = u8::try_from(own_public.len()).map_err(|_| NotSealed)?;
    let mut message = salt.to_vec();
    message.extend_from_slice(&RECORD_BYTES.to_be_bytes());
    message.push(id_length);
    message.extend_from_slice(own_public);
    message.append(&mut plain);
    Ok(message)
}

#[cfg(test)]
mod tests {
    use data_encoding::BASE64URL_NOPAD;

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        BASE64URL_NOPAD.decode(text.as_bytes()).unwrap()
    }

    /// The example of RFC 8291, appendix A.
    #[test]
    fn the_example_of_the_standard() {
        let receiver = Receiver {
            public: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
                .try_into()
                .unwrap(),
            auth: bytes("BTBZMqHH6r4Tts7J_aSIgg").try_into().unwrap(),
        };
        let own_public = bytes(
            "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
        );
        let shared = bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap();
        let plain = b"When I grow up, I want to be a watermelon\x02".to_vec();
        let message = sealed(&shared, &receiver, &own_public, salt, plain).unwrap();
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(BASE64URL_NOPAD.encode(&message), expected);
    }

    #[test]
    fn contents_have_one_length_and_never_the_same_bytes() {
        let random = SystemRandom::new();
        let own = EphemeralPrivateKey::generate(&ECDH_P256, &random).unwrap();
        let public = own.compute_public_key().unwrap();
        let receiver = Receiver {
            public: public.as_ref().try_into().unwrap(),
            auth: [7; 16],
        };
        let short = seal(&receiver, b"a").unwrap();
        let again = seal(&receiver, b"a").unwrap();
        let long = seal(&receiver, &[b'b'; CONTENT_BYTES]).unwrap();
        assert_eq!((short.len(), again.len()), (long.len(), long.len()));
        assert!(long.len() <= 4_096 && short != again);
        assert_eq!(seal(&receiver, &[b'b'; PADDED_BYTES]), Err(NotSealed));
    }

    #[test]
    fn a_key_that_is_no_point_is_refused() {
        let receiver = Receiver {
            public: [4; 65],
            auth: [7; 16],
        };
        assert_eq!(seal(&receiver, b"a"), Err(NotSealed));
    }
}
